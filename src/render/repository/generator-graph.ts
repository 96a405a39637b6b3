import { shortestPath } from '../../model/shortest-path.ts';

/** Names that a generator depends on and that do not exist, and the circle it is in, if any. */
export interface DependencyFault {
  readonly generator: string;
  /** Index in dependsOn. */
  readonly index: number;
  readonly message: string;
}

/** Finds every dependency on nothing and every circle among dependencies. Deterministic whatever the order of the map. */
export function faultsOfDependencies(
  dependsOn: ReadonlyMap<string, readonly string[]>,
  known: ReadonlySet<string>,
): DependencyFault[] {
  const faults: DependencyFault[] = [];
  for (const [generator, names] of dependsOn) {
    for (const [index, name] of names.entries()) {
      const circle = known.has(name) ? shortestPath([name], generator, dependsOn) : undefined;
      if (!known.has(name))
        faults.push({ generator, index, message: `no generator is named ${JSON.stringify(name)}` });
      else if (circle !== undefined) {
        faults.push({
          generator,
          index,
          message: `a circle of dependencies: ${[generator, ...circle].join(' → ')}`,
        });
      }
    }
  }
  return faults;
}
