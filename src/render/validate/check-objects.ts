import type { DesiredObject } from '../../model/desired.ts';
import type { Finding } from '../../model/finding.ts';
import type { JsonObject } from '../../model/json.ts';
import { formatRef } from '../../model/object-ref.ts';
import type { Snapshot } from '../../model/snapshot.ts';
import { ViolationLocator } from './locate-violation.ts';
import { checkObject, type ObjectCheck } from './schema/check-object.ts';
import { type CustomKinds, kindsDefinedBy } from './schema/custom-kinds.ts';
import { type KubernetesSchemas, minorVersionOf, type Schema } from './schema/kubernetes-schemas.ts';
import type { Violation } from './schema/violation.ts';

/** Told of one object. */
const maxViolations = 100;

/** Objects of all clusters, each held against its kind once, whatever the number of clusters that share it. */
export class ObjectChecker {
  readonly #builtIn: KubernetesSchemas;
  readonly #locator: ViolationLocator;
  /** With the clusters that get it: those that are alike share the very same object. */
  readonly #seen = new Map<DesiredObject, string[]>();
  /** What the definitions among a cluster's own objects say. */
  readonly #ownKinds = new Map<string, Map<string, Schema>>();
  readonly #kinds = new Map<string, Schema>();
  readonly #kindsOfManifest = new WeakMap<JsonObject, readonly [string, Schema][]>();

  constructor(builtIn: KubernetesSchemas, snapshot: Snapshot) {
    this.#builtIn = builtIn;
    this.#locator = new ViolationLocator(snapshot);
  }

  /** Takes note of what a cluster gets; '' for what is for none. */
  add(cluster: string, objects: readonly DesiredObject[]): void {
    const own = this.#ownKinds.get(cluster) ?? new Map<string, Schema>();
    this.#ownKinds.set(cluster, own);
    for (const object of objects) {
      const clusters = this.#seen.get(object) ?? [];
      this.#seen.set(object, clusters);
      clusters.push(cluster);
      if (object.ref.kind !== 'CustomResourceDefinition') continue;
      for (const [kind, schema] of this.#kindsIn(object.manifest)) {
        own.set(kind, schema);
        // Where a cluster has no definition of its own, the first of the repository is what is known.
        if (!this.#kinds.has(kind)) this.#kinds.set(kind, schema);
      }
    }
  }

  /** A definition that is wrong itself says nothing of others. */
  #kindsIn(manifest: JsonObject): readonly [string, Schema][] {
    const known = this.#kindsOfManifest.get(manifest);
    if (known !== undefined) return known;
    const checked = checkObject(manifest, { builtIn: this.#builtIn, custom: new Map() });
    const isSound = checked.kind === 'known' && checked.violations.length === 0;
    const kinds = isSound ? kindsDefinedBy(manifest) : [];
    this.#kindsOfManifest.set(manifest, kinds);
    return kinds;
  }

  /** Everything that is wrong with the objects, as each cluster would see it. */
  async findings(): Promise<{ readonly finding: Finding; readonly cluster: string }[]> {
    const all: { readonly finding: Finding; readonly cluster: string }[] = [];
    for (const [object, clusters] of this.#seen) {
      const checked = new Map<Schema | undefined, Promise<Finding[]>>();
      for (const cluster of clusters) {
        const kind = `${object.ref.apiVersion}/${object.ref.kind}`;
        const schema = this.#ownKinds.get(cluster)?.get(kind) ?? this.#kinds.get(kind);
        const custom: CustomKinds = new Map(schema === undefined ? [] : [[kind, schema]]);
        const pending =
          checked.get(schema) ??
          this.#findingsOf(object, checkObject(object.manifest, { builtIn: this.#builtIn, custom }));
        checked.set(schema, pending);
        for (const finding of await pending) all.push({ finding, cluster });
      }
    }
    return all;
  }

  async #findingsOf(object: DesiredObject, check: ObjectCheck): Promise<Finding[]> {
    const { ref, origin } = object;
    const base = { generator: origin.generator, ref } as const;
    switch (check.kind) {
      case 'unknown':
        return [];
      case 'notServed': {
        const { file, document, line } = origin;
        const message = `${formatRef(ref)}: Kubernetes ${minorVersionOf(this.#builtIn)} serves no ${ref.kind} of ${ref.apiVersion}`;
        return [
          { ...base, severity: 'warning', code: 'KindNotServed', message, place: { file, document, line } },
        ];
      }
      case 'known':
        return await Promise.all(
          shortened(check.violations).map(async (violation): Promise<Finding> => {
            const isWarning = violation.isWarning === true;
            return {
              ...base,
              severity: isWarning ? 'warning' : 'error',
              code: isWarning ? 'ValueChanged' : 'ObjectInvalid',
              message: `${formatRef(ref)}: ${violation.message}`,
              place: await this.#locator.locate(object, violation),
            };
          }),
        );
    }
  }
}

/** The first violations, and how many more there are: a list of thousands helps nobody. */
function shortened(violations: readonly Violation[]): readonly Violation[] {
  const next = violations[maxViolations];
  if (next === undefined) return violations;
  const message = `and ${violations.length - maxViolations} more faults of this object`;
  return [...violations.slice(0, maxViolations), { ...next, message }];
}
