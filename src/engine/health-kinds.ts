import { hasHealth } from '../health/health-of.ts';
import type { ResourceInfo } from '../kube/discovery.ts';
import { dependsOnAnnotation } from '../model/apply-set.ts';
import type { DesiredState } from '../model/desired.ts';
import { stringAt } from '../model/json.ts';
import { groupKindOf } from '../model/object-ref.ts';
import { parseDependsOn } from '../plan/order/parse-depends-on.ts';

/**
 * Which kinds are read whole, also those that are not served yet: how their objects fare is shown, or others wait for it. Kinds of the core group
 * without a rule of health, Secrets among them, never are: being there is all that they do.
 */
export function healthKinds(kinds: readonly ResourceInfo[], desired: DesiredState): ReadonlySet<string> {
  const awaited = [...awaitedKinds(desired)].filter((groupKind) => groupKind.includes('.'));
  return new Set([...kinds.map(groupKindOf).filter(hasHealth), ...awaited]);
}

function awaitedKinds({ objects, generators }: DesiredState): Set<string> {
  const needed = new Set([...generators.values()].flatMap(({ dependsOn }) => dependsOn ?? []));
  const kinds = new Set<string>();
  for (const { ref, manifest, origin } of objects) {
    if (needed.has(origin.generator)) kinds.add(groupKindOf(ref));
    const text = stringAt(manifest, 'metadata', 'annotations', dependsOnAnnotation);
    const parsed = text === undefined ? undefined : parseDependsOn(text);
    if (parsed?.ok === true) for (const { key } of parsed.refs) kinds.add(key.slice(0, key.indexOf('/')));
  }
  return kinds;
}
