import type { Finding } from '../../model/finding.ts';
import { originIn } from '../generators/generator-fault.ts';
import type { ValidEntry } from '../repository/fleet-repository.ts';
import { stringAt } from '../../model/json.ts';
import type { Survey } from './survey-generator.ts';

const annotation = 'fleetwright.dev/unmatched';

/**
 * Generators that are for no cluster, and overrides that are for none of their generator's. `idle` names the generators
 * that gave nothing to any of the clusters that their selectors match.
 */
export function unmatchedSelectors(surveys: readonly Survey[], idle: ReadonlySet<string>): Finding[] {
  return surveys.flatMap((survey) => {
    const { entry, clusters, activeOverrides } = survey;
    if (stringAt(entry.document.value, 'metadata', 'annotations', annotation) === 'allowed') return [];
    if (clusters.length === 0) {
      const message = 'clusterSelector matches no cluster';
      return [unmatched(entry, ['spec', 'clusterSelector'], message)];
    }
    if (idle.has(entry.generator.name))
      // A source that may be missing may have no items, too.
      return entry.generator.optional ? [] : [unmatched(entry, idlePath(entry), idleMessage(entry))];
    return entry.generator.overrides.flatMap((_, index) =>
      activeOverrides.has(index)
        ? []
        : [
            unmatched(
              entry,
              ['spec', 'overrides', index, 'clusterSelector'],
              `overrides[${index}] is for none of the clusters of ${entry.generator.name}`,
            ),
          ],
    );
  });
}

function idlePath({ generator }: ValidEntry): (string | number)[] {
  return generator.when === undefined ? ['spec', 'each'] : ['spec', 'when'];
}

function idleMessage({ generator }: ValidEntry): string {
  return generator.when === undefined ? 'each gives no item' : 'when holds for no cluster and no item';
}

function unmatched(entry: ValidEntry, path: readonly (string | number)[], message: string): Finding {
  const { generator, ...place } = originIn(entry, path);
  return { severity: 'warning', code: 'SelectorUnmatched', message, place, generator };
}
