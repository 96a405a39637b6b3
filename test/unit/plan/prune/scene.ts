import type {
  DesiredObject,
  GeneratorInfo,
  GeneratorState,
  GeneratorSyncPolicy,
} from '../../../../src/model/desired.ts';
import { FleetError } from '../../../../src/model/fleet-error.ts';
import type { OwnedObject } from '../../../../src/model/observation.ts';
import { type ObjectRef, refKey } from '../../../../src/model/object-ref.ts';
import type { PlannedWrite } from '../../../../src/model/plan.ts';
import { defaultPruneLimit, type SyncPolicy } from '../../../../src/model/settings.ts';
import { planCluster, type PlanInput } from '../../../../src/plan/plan-cluster.ts';
import { prepareObjects } from '../../../../src/plan/prepare-objects.ts';
import type { Cascade } from '../../../../src/plan/prune/guard.ts';
import { isClusterScoped, nameOf, owned, refOf, wanted } from '../objects.ts';

/** What a plan does with the objects that Git no longer has. */
export interface Outcome {
  /** Names, sorted: 'ConfigMap/a'. */
  readonly deleted: readonly string[];
  /** By name: 'skipped', 'pending' or 'held', a colon and the reason. */
  readonly kept: Readonly<Record<string, string>>;
  /** By name, for what is held. */
  readonly holds: Readonly<Record<string, string>>;
}

/**
 * One cluster as a planner sees it: `scene().wants(…).owns(…).plan()`. The cluster is called berlin; everything comes
 * from the generator web unless another is named.
 */
export class Scene {
  readonly #wanted: DesiredObject[] = [];
  readonly #owned: OwnedObject[] = [];
  readonly #generators = new Map<string, GeneratorInfo>();
  readonly #faults: FleetError[] = [];
  readonly #unreadable = new Set<string>();
  readonly #cascades = new Map<string, Cascade>();
  readonly #approved = new Set<string>();
  readonly #unserved = new Set<string>();
  readonly #graceEnds = new Map<string, number>();
  #policy: SyncPolicy = { drift: 'correct', prune: true, pruneLimit: defaultPruneLimit };
  #only: ReadonlySet<string> | undefined;
  #cluster = 'berlin';
  #creates = false;

  /** Git has this generator. */
  generator(name: string, state: GeneratorState = 'rendered', sync: GeneratorSyncPolicy = {}): this {
    this.#generators.set(name, { name, state, sync });
    return this;
  }

  /** Git wants these, from a generator that it has. */
  wants(...objects: readonly (string | DesiredObject)[]): this {
    for (const object of objects) {
      const desired = typeof object === 'string' ? wanted(object) : object;
      const name = desired.origin.generator;
      if (!this.#generators.has(name)) this.generator(name);
      this.#wanted.push(desired);
    }
    return this;
  }

  /** The cluster has these, with our label. */
  owns(...objects: readonly (string | OwnedObject)[]): this {
    this.#owned.push(...objects.map((object) => (typeof object === 'string' ? owned(object) : object)));
    return this;
  }

  fault(message = 'mapping values are not allowed here'): this {
    const origin = { generator: 'web', file: 'apps/web.yaml', document: 2, line: 9, column: 3 };
    this.#faults.push(new FleetError('ManifestInvalid', message, { origin }));
    return this;
  }

  unreadable(groupKind: string): this {
    this.#unreadable.add(groupKind);
    return this;
  }

  /** The cluster serves no such kind in that version. */
  doesNotServe(apiVersion: string, kind: string): this {
    this.#unserved.add(`${apiVersion}/${kind}`);
    return this;
  }

  policy(policy: Partial<SyncPolicy>): this {
    this.#policy = { ...this.#policy, ...policy };
    return this;
  }

  graceEnds(generator: string, at: number): this {
    this.#graceEnds.set(generator, at);
    return this;
  }

  /** What was found in a Namespace or of a definition. */
  holds(name: string, contents: readonly ObjectRef[] | FleetError): this {
    const cascade: Cascade =
      contents instanceof FleetError
        ? { state: 'unreadable', error: contents }
        : { state: 'known', contents };
    this.#cascades.set(refKey(refOf(name)), cascade);
    return this;
  }

  approve(...holdIds: readonly string[]): this {
    for (const id of holdIds) this.#approved.add(id);
    return this;
  }

  /** As --generator narrows. */
  only(...generators: readonly string[]): this {
    this.#only = new Set(generators);
    return this;
  }

  /** It is another cluster. */
  in(cluster: string): this {
    this.#cluster = cluster;
    return this;
  }

  /** Nothing of what Git wants exists yet. */
  creates(): this {
    this.#creates = true;
    return this;
  }

  /** @param now ms since the epoch. */
  input(now = 1_000): PlanInput {
    const desired = {
      cluster: this.#cluster,
      revision: 'r1',
      objects: this.#wanted,
      generators: this.#generators,
      faults: this.#faults,
      labels: {},
      warnings: [],
    };
    const preparation = prepareObjects(desired, {
      applySetId: 'applyset-ours-v1',
      driftPolicy: 'correct',
      scopeOf: (apiVersion, kind) => {
        if (this.#unserved.has(`${apiVersion}/${kind}`)) return undefined;
        return isClusterScoped({ apiVersion, kind }) ? 'cluster' : 'namespaced';
      },
    });
    return {
      cluster: this.#cluster,
      applySetId: 'applyset-ours-v1',
      maskKey: 'key',
      isApproved: (id) => this.#approved.has(id),
      baseline: () => undefined,
      wasApplied: () => false,
      desired,
      preparation,
      triage: this.#creates
        ? { unchanged: [], suspect: [], unseen: preparation.objects, deleting: [] }
        : { unchanged: preparation.objects, suspect: [], unseen: [], deleting: [] },
      observations: new Map(preparation.objects.map(({ key }) => [key, { state: 'absent' }])),
      owned: this.#owned,
      unreadableKinds: this.#unreadable,
      cascades: this.#cascades,
      policy: this.#policy,
      graceEndsAt: (generator) => this.#graceEnds.get(generator) ?? 0,
      now,
      ...(this.#only === undefined ? {} : { generators: this.#only }),
    };
  }

  plan(now?: number): Outcome {
    return outcomeOf(planCluster(this.input(now)));
  }

  /** Everything that is to be written or deleted, in order. */
  writes(): PlannedWrite[] {
    return planCluster(this.input()).plan.stages.flat();
  }
}

export function scene(): Scene {
  return new Scene();
}

export function outcomeOf({ plan }: ReturnType<typeof planCluster>): Outcome {
  const deletions = plan.stages.flat().flatMap((write) => (write.action === 'delete' ? [write] : []));
  const kept = plan.settled.flatMap((change) =>
    change.action === 'skipped' || change.action === 'pending' || change.action === 'held' ? [change] : [],
  );
  return {
    deleted: deletions.map(({ owned: { ref } }) => nameOf(ref)).sort(),
    kept: Object.fromEntries(
      kept.map((change) => [nameOf(change.ref), `${change.action}: ${change.reason}`]),
    ),
    holds: Object.fromEntries(
      kept.flatMap((change) => (change.action === 'held' ? [[nameOf(change.ref), change.holdId]] : [])),
    ),
  };
}

/** Names of `count` ConfigMaps. */
export function configMaps(count: number, prefix = 'cm'): string[] {
  return Array.from({ length: count }, (_, index) => `ConfigMap/${prefix}-${index}`);
}
