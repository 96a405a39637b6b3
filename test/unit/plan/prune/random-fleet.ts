import * as fc from 'fast-check';

import type { GeneratorState } from '../../../../src/model/desired.ts';
import { groupKindOf, type ObjectRef } from '../../../../src/model/object-ref.ts';
import type { PruneLimit } from '../../../../src/model/settings.ts';
import { owned, refOf, wanted } from '../objects.ts';
import { type Scene, scene } from './scene.ts';

/** One object that Git, the cluster or both have. Every generator may be one that Git does not have. */
export interface RandomObject {
  readonly ref: ObjectRef;
  readonly wantedBy: string | undefined;
  readonly broughtBy: string | undefined;
  /** The cluster shows it under another version than Git has it. */
  readonly otherVersion: boolean;
  readonly pruneDisabled: boolean;
  readonly deleting: boolean;
}

export interface RandomFleet {
  readonly objects: readonly RandomObject[];
  readonly states: Readonly<Record<string, GeneratorState>>;
  readonly limit: PruneLimit;
  readonly hasFault: boolean;
  readonly unreadable: readonly string[];
  /** Kinds whose version in Git is not served. */
  readonly unserved: boolean;
  /** Whether each Namespace holds something of others. */
  readonly fullNamespaces: boolean;
}

const kinds = ['ConfigMap', 'Secret', 'Deployment', 'Widget', 'Namespace'];
const generators = ['web', 'shop', 'clusters/berlin', 'gone', ''];

const rarely = fc.integer({ min: 0, max: 9 }).map((number) => number === 0);

const object: fc.Arbitrary<RandomObject> = fc.record({
  ref: fc
    .tuple(fc.constantFrom(...kinds), fc.integer({ min: 0, max: 30 }))
    .map(([kind, number]) => refOf(`${kind}/n${number}`)),
  wantedBy: fc.option(fc.constantFrom('web', 'shop', 'clusters/berlin'), { nil: undefined }),
  broughtBy: fc.option(fc.constantFrom(...generators), { nil: undefined, freq: 6 }),
  otherVersion: fc.boolean(),
  pruneDisabled: rarely,
  deleting: rarely,
});

export const randomFleet: fc.Arbitrary<RandomFleet> = fc.record({
  objects: fc.uniqueArray(object, {
    selector: ({ ref }) => `${groupKindOf(ref)} ${ref.name}`,
    maxLength: 60,
    size: 'max',
  }),
  states: fc.record({
    web: fc.constantFrom<GeneratorState>('rendered', 'rendered', 'unmatched'),
    shop: fc.constantFrom<GeneratorState>('rendered', 'unmatched'),
  }),
  limit: fc.record({
    count: fc.integer({ min: 0, max: 30 }),
    percent: fc.integer({ min: 0, max: 100 }),
    minimum: fc.integer({ min: 0, max: 6 }),
  }),
  hasFault: fc.boolean(),
  unreadable: fc.subarray(['ConfigMap', 'Secret', 'Deployment.apps', 'Widget.example.com']),
  unserved: fc.boolean(),
  fullNamespaces: fc.boolean(),
});

/** The fleet without faults and with everything readable: where there is something to prune, it may be. */
export const readableFleet: fc.Arbitrary<RandomFleet> = randomFleet.map((fleet) => ({
  ...fleet,
  hasFault: false,
  unreadable: [],
}));

const olderVersions = new Map([
  ['apps/v1', 'apps/v1beta1'],
  ['example.com/v1', 'example.com/v1alpha1'],
]);

export function ownedOf(fleet: RandomFleet): ReturnType<typeof owned>[] {
  return fleet.objects.flatMap(({ ref, broughtBy, otherVersion, ...flags }) => {
    if (broughtBy === undefined) return [];
    const older = olderVersions.get(ref.apiVersion) ?? ref.apiVersion;
    const seen = { ...ref, apiVersion: otherVersion ? older : ref.apiVersion };
    return [owned(`${ref.kind}/${ref.name}`, { ref: seen, generator: broughtBy, ...flags })];
  });
}

/** @param reorder an order of the objects other than that of the fleet. */
export function sceneOf(fleet: RandomFleet, reorder = <T>(items: T[]): T[] => items): Scene {
  const result = scene().policy({ pruneLimit: fleet.limit });
  for (const [name, state] of reorder(Object.entries(fleet.states))) result.generator(name, state);
  const inGit = fleet.objects.filter(({ wantedBy }) => wantedBy !== undefined);
  // What does not match gives nothing.
  const given = inGit.filter(({ wantedBy = '' }) => fleet.states[wantedBy] !== 'unmatched');
  result.wants(
    ...reorder(given.map(({ ref, wantedBy = '' }) => wanted(ref.name, { ref, generator: wantedBy }))),
  );
  result.owns(...reorder(ownedOf(fleet)));
  if (fleet.hasFault) result.fault();
  if (fleet.unserved) result.doesNotServe('example.com/v1', 'Widget');
  for (const kind of reorder([...fleet.unreadable])) result.unreadable(kind);
  for (const { ref } of fleet.objects) {
    if (ref.kind === 'Namespace')
      result.holds(`Namespace/${ref.name}`, fleet.fullNamespaces ? [refOf('Secret/theirs')] : []);
  }
  return result;
}
