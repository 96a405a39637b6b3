import { expect } from 'chai';

import type { GeneratorInfo } from '../../../../src/model/desired.ts';
import { type Health, healthy, progressing } from '../../../../src/model/health.ts';
import type { OwnedObject } from '../../../../src/model/observation.ts';
import { groupKindOf, type ObjectRef, refKey } from '../../../../src/model/object-ref.ts';
import type { PlannedWrite, PreparedObject } from '../../../../src/model/plan.ts';
import { type PassSoFar, Waits } from '../../../../src/plan/order/waits.ts';
import { refOf } from '../../plan/objects.ts';

const half = progressing('1 of 2 replicas are available');

function prepared(name: string, more: Partial<PreparedObject> = {}): PreparedObject {
  const ref = refOf(name);
  return {
    ref,
    key: refKey(ref),
    body: {},
    origin: { generator: 'web', file: 'web.yaml', document: 1, line: 1 },
    hash: 'now',
    drift: 'correct',
    adopt: false,
    dependsOn: [],
    ...more,
  };
}

function live(object: PreparedObject, health?: Health, desiredHash = 'now'): OwnedObject {
  return {
    ref: object.ref,
    uid: 'uid',
    resourceVersion: '1',
    generator: object.origin.generator,
    desiredHash,
    pruneDisabled: false,
    ownership: 'ours',
    additions: '',
    deleting: false,
    version: '1',
    ...(health === undefined ? {} : { health }),
  };
}

interface World {
  readonly objects: readonly PreparedObject[];
  readonly owned?: readonly OwnedObject[];
  readonly generators?: readonly GeneratorInfo[];
  readonly pass?: Partial<PassSoFar>;
}

function waitsIn({ objects, owned = [], generators = [], pass = {} }: World): Waits {
  const byKey = new Map(owned.map((object) => [refKey(object.ref), object]));
  return new Waits(
    {
      objects,
      failures: [],
      generators: new Map(generators.map((generator) => [generator.name, generator])),
      owned: (ref: ObjectRef) => byKey.get(refKey(ref)),
      hasHealth: (groupKind) => groupKind === 'Deployment.apps',
    },
    { writes: new Map(), settled: new Map(), ...pass },
  );
}

const writing = (...objects: readonly PreparedObject[]): Pick<PassSoFar, 'writes'> => ({
  writes: new Map(
    objects.map((object): [string, PlannedWrite] => [object.key, { action: 'create', object }]),
  ),
});

describe('Waits', () => {
  const db = prepared('Deployment/db');
  const web = prepared('ConfigMap/web', { dependsOn: [db.key] });

  it('waits until what is named is healthy, and says what it lacks', () => {
    const objects = [db, web];
    expect(waitsIn({ objects, owned: [live(db, half)] }).of(web)).to.deep.equal({
      reason: 'waits for Deployment/db in shop: 1 of 2 replicas are available',
      waitsFor: [db.key],
    });
    expect(waitsIn({ objects, owned: [live(db, healthy)] }).of(web)).to.equal(undefined);
  });

  it('waits while what is named is not there, is of an older wish, or goes', () => {
    const objects = [db, web];
    const reasons = [[], [live(db, healthy, 'before')], [{ ...live(db, healthy), deleting: true }]].map(
      (owned) => waitsIn({ objects, owned }).of(web)?.reason,
    );
    expect(reasons).to.deep.equal([
      'waits for Deployment/db in shop: it is yet to be applied',
      'waits for Deployment/db in shop: it is yet to be applied',
      'waits for Deployment/db in shop: it is being deleted',
    ]);
  });

  it('waits for a write only where that does not end the matter', () => {
    const settings = prepared('ConfigMap/settings');
    const last = prepared('ConfigMap/last', { dependsOn: [settings.key] });
    expect(waitsIn({ objects: [settings, last], pass: writing(settings, last) }).of(last)).to.equal(
      undefined,
    );
    expect(waitsIn({ objects: [db, web], pass: writing(db, web) }).of(web)?.reason).to.include('yet to be');
    const behind = prepared('ConfigMap/behind', { dependsOn: [web.key] });
    const chain = waitsIn({ objects: [db, web, behind], pass: writing(db, web, behind) });
    expect(chain.of(behind)?.reason).to.equal('waits for ConfigMap/web in shop: it waits itself');
  });

  it('leaves it to the applier to tell of what failed', () => {
    const { ref, origin, key } = db;
    const held = { action: 'held', ref, origin, fields: [], reason: 'it differs', holdId: 'a' } as const;
    const pass = { settled: new Map([[key, held]]) };
    expect(waitsIn({ objects: [db, web], pass }).of(web)).to.equal(undefined);
  });

  const generator = (name: string, more: Partial<GeneratorInfo> = {}): GeneratorInfo => ({
    name,
    state: 'rendered',
    sync: {},
    ...more,
  });
  const fromBase = { origin: { ...db.origin, generator: 'base' } };
  const generators = [generator('base'), generator('web', { dependsOn: ['base'] })];

  it('waits for all that a generator gives', () => {
    const first = prepared('Deployment/first', fromBase);
    const second = prepared('ConfigMap/second', fromBase);
    const other = prepared('ConfigMap/other');
    const objects = [first, second, other];
    expect(waitsIn({ objects, generators, owned: [live(first, half)] }).of(other)).to.deep.equal({
      reason:
        'waits for generator base: Deployment/first in shop: 1 of 2 replicas are available (and for 1 more)',
      waitsFor: [first.key, second.key],
    });
    const owned = [live(first, healthy), live(second)];
    expect(waitsIn({ objects, generators, owned }).of(other)).to.equal(undefined);
    expect(waitsIn({ objects, generators, owned: [live(first, half)] }).of(first)).to.equal(undefined);
  });

  it('waits for a generator that could not be read, and not for one that gives this cluster nothing', () => {
    const other = prepared('ConfigMap/other');
    const reasonWith = (state: GeneratorInfo['state']): string | undefined =>
      waitsIn({ objects: [other], generators: [generator('base', { state }), generators[1]!] }).of(other)
        ?.reason;
    expect(reasonWith('failed')).to.equal('waits for generator base: it could not be read whole');
    expect(reasonWith('unmatched')).to.equal(undefined);
    expect(waitsIn({ objects: [other], generators: [generators[1]!] }).of(other)).to.equal(undefined);
  });

  it('ends where objects and generators wait for each other', () => {
    const first = prepared('ConfigMap/first', { ...fromBase, dependsOn: [web.key] });
    const last = { ...web, dependsOn: [first.key] };
    const waits = waitsIn({ objects: [first, last], generators, pass: writing(first, last) });
    expect(waits.of(first)?.reason).to.include('waits for');
    expect(groupKindOf(first.ref)).to.equal('ConfigMap');
  });
});
