import { expect } from 'chai';

import type { DriftPolicy } from '../../../src/model/settings.ts';
import { FleetError } from '../../../src/model/fleet-error.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import type { Observation } from '../../../src/model/observation.ts';
import type { PreparedObject } from '../../../src/model/plan.ts';
import { decide } from '../../../src/plan/decide.ts';
import { LiveObject } from './live-object.ts';
import { context, prepared, present, say } from './decisions.ts';

const object = prepared();
const applied = LiveObject.applied(object);
const baseline = applied.baseline(object);
const ownershipLost = 'the values agree, but others have taken over fields of ours';
const skipped = (policy: DriftPolicy): string => `skipped (drift is set to ${policy})`;

describe('deciding about an object that is absent (invariant 2)', () => {
  const absent: Observation = { state: 'absent' };

  it('creates what was never applied, whatever the policy', () => {
    for (const drift of ['correct', 'report', 'ignore'] as const)
      expect(say(decide(prepared({ drift }), absent, context()))).to.equal('create');
  });

  it('takes what was applied before for deleted by others, and goes by the policy', () => {
    const decided = (drift: DriftPolicy): string =>
      say(decide(prepared({ drift }), absent, context({ wasApplied: true })));
    expect(decided('correct')).to.equal('create, missing pending');
    expect(decided('report')).to.equal(`${skipped('report')}, missing reported`);
    expect(decided('ignore')).to.equal(`${skipped('ignore')}, missing ignored`);
  });

  it('is not what an unreadable object or an unknown kind is', () => {
    const error = new FleetError('Forbidden', 'configmaps are forbidden');
    expect(say(decide(object, { state: 'unreadable', error }, context({ wasApplied: true })))).to.equal(
      'failed (configmaps are forbidden)',
    );
    expect(say(decide(object, { state: 'unknownKind' }, context({ wasApplied: true })))).to.equal(
      'failed (the cluster serves no ConfigMap in v1)',
    );
  });

  it('names the origin of what failed (invariant 10)', () => {
    const error = new FleetError('Forbidden', 'configmaps are forbidden');
    const { outcome } = decide(object, { state: 'unreadable', error }, context());
    expect(
      'settled' in outcome && outcome.settled.action === 'failed' && outcome.settled.error.describe(),
    ).to.equal('apps/web.yaml:1: Forbidden: configmaps are forbidden');
  });
});

describe('deciding about an object of ours (invariant 6)', () => {
  const known = { baseline };

  it('writes nothing where our entry is as we left it', () => {
    expect(say(decide(object, present(applied), context(known)))).to.equal('unchanged, proven');
    expect(say(decide(object, { state: 'owned', owned: undefined! }, context(known)))).to.equal('unchanged');
  });

  it('writes nothing without any memory where a dry-run changes nothing', () => {
    expect(say(decide(object, present(applied, applied), context()))).to.equal('unchanged, proven');
  });

  it('writes nothing where Git moved only while another process had applied it', () => {
    const stale = { ...baseline, desiredHash: 'older', ownership: 'older' };
    expect(say(decide(object, present(applied, applied), context({ baseline: stale })))).to.equal(
      'unchanged, proven',
    );
  });

  it('waits for one that is being deleted', () => {
    const leaving = applied.marked({ deletionTimestamp: '2026-05-01T12:00:00Z' });
    expect(say(decide(object, present(leaving), context(known)))).to.equal(
      'pending (it is being deleted and is created anew when it is gone)',
    );
  });

  it('applies what Git changed, whatever the policy, and calls it no drift', () => {
    for (const drift of ['correct', 'report', 'ignore'] as const) {
      const next = prepared({ drift, data: { a: '2' } });
      expect(say(decide(next, present(applied), context(known)))).to.equal('configure');
      expect(say(decide(next, present(applied), context()))).to.equal('configure');
    }
  });

  it('applies what Git changed although others edited the object meanwhile', () => {
    const next = prepared({ drift: 'report', data: { a: '2' } });
    expect(say(decide(next, present(applied.edited('data.a', 'x')), context(known)))).to.equal('configure');
  });

  it('notes another generator where the content is the same, and then rests', () => {
    const moved = prepared({ generator: 'shop', drift: 'report' });
    expect(moved.hash).to.equal(object.hash);
    expect(say(decide(moved, present(applied), context(known)))).to.equal('configure');
    const after = LiveObject.applied(moved);
    const rested = { baseline: after.baseline(moved) };
    expect(say(decide(moved, present(after), context(rested)))).to.equal('unchanged, proven');
  });
});

describe('deciding about drift', () => {
  const others = LiveObject.applied(object).edited('data.x', 'extra');

  /** What others did, what a dry-run then gives, and what is decided under each policy. */
  const table: readonly {
    readonly did: string;
    readonly live: LiveObject;
    readonly merged?: LiveObject;
    /** The paths that differ; '' where others only took over fields whose values agree. */
    readonly drift: string;
  }[] = [
    { did: 'changed a field', live: applied.edited('data.a', '9'), drift: ': .data.a' },
    { did: 'deleted a field', live: applied.without('data.b'), drift: ': .data.b' },
    {
      did: 'changed one field and added another',
      live: applied.edited('data.a', '9').edited('data.x', 'extra'),
      merged: others,
      drift: ': .data.a .data.x',
    },
    { did: 'edited and edited back', live: applied.edited('data.a', '1'), drift: '' },
    { did: 'cleared managedFields', live: applied.withoutManagedFields(), drift: '' },
    { did: 'applied in our name', live: applied.appliedInOurName('data.a', '9'), drift: ': .data.a' },
    {
      did: 'edited our annotation of the content',
      live: applied.edited(['metadata', 'annotations', 'fleetwright.dev/desired-hash'], 'x'),
      drift: '',
    },
    {
      did: 'edited our annotation of the generator',
      live: applied.edited(['metadata', 'annotations', 'fleetwright.dev/generator'], 'x'),
      drift: '',
    },
    {
      did: 'removed both annotations',
      live: applied
        .without(['metadata', 'annotations', 'fleetwright.dev/generator'])
        .without(['metadata', 'annotations', 'fleetwright.dev/desired-hash']),
      drift: '',
    },
  ];

  for (const { did, live, merged = applied, drift: fields } of table) {
    it(`is the same with and without memory where others ${did}`, () => {
      for (const known of [{ baseline }, {}]) {
        const decided = (drift: DriftPolicy): string =>
          say(decide(prepared({ drift }), present(live, merged), context(known)));
        expect(decided('correct')).to.equal(`configure, changed pending${fields}`);
        const left = (policy: DriftPolicy, action: string): string =>
          fields === '' ? `unchanged (${ownershipLost})` : `${skipped(policy)}, changed ${action}${fields}`;
        expect(decided('report')).to.equal(left('report', 'reported'));
        expect(decided('ignore')).to.equal(left('ignore', 'ignored'));
      }
    });
  }

  it('says so where values agree and only ownership was taken', () => {
    const decision = decide(object, present(applied.edited('data.a', '1'), applied), context({ baseline }));
    expect(decision.drift?.reason).to.equal(ownershipLost);
  });

  it('is corrected without a dry-run: the answer to the write tells the fields', () => {
    expect(say(decide(object, present(applied.edited('data.a', '9')), context({ baseline })))).to.equal(
      'configure, changed pending',
    );
  });

  it('is seen in a scaled Deployment, by who has no time', () => {
    const deployment = prepared({ drift: 'report', spec: { replicas: 2 } });
    const asWanted = LiveObject.applied(deployment);
    const known = { baseline: asWanted.baseline(deployment) };
    const { drift } = decide(deployment, present(asWanted.scaled(5), asWanted), context(known));
    expect(drift?.fields).to.deep.equal([
      {
        path: '.spec.replicas',
        desired: 2,
        live: 5,
        changedBy: [{ manager: 'kubectl-scale', operation: 'Update', subresource: 'scale' }],
      },
    ]);
  });

  it('is reported and not written where people only added something', () => {
    for (const [drift, action] of [
      ['correct', 'reported'],
      ['report', 'reported'],
      ['ignore', 'ignored'],
    ] as const) {
      expect(say(decide(prepared({ drift }), present(others, others), context()))).to.equal(
        `unchanged, changed ${action}: .data.x, proven`,
      );
      expect(say(decide(prepared({ drift }), present(others), context({ baseline })))).to.equal(
        `unchanged, changed ${action}: .data.x, proven`,
      );
    }
  });
});

describe('deciding about an object whose label was taken off', () => {
  const label = ['metadata', 'labels', 'applyset.kubernetes.io/part-of'];
  const unlabelled = LiveObject.applied(object).without(label);

  it('takes it for ours by our annotation and our entry, or by our memory of its uid', () => {
    expect(say(decide(object, present(unlabelled, applied), context()))).to.equal(
      'configure, unlabelled pending: .metadata.labels["applyset.kubernetes.io/part-of"]',
    );
    const bare = unlabelled.withoutManagedFields();
    expect(say(decide(object, present(bare, applied), context({ baseline })))).to.contain(
      'unlabelled pending',
    );
  });

  it('goes by the policy', () => {
    const decided = decide(
      prepared({ drift: 'report' }),
      present(unlabelled, applied),
      context({ baseline }),
    );
    expect(say(decided)).to.match(/^skipped \(drift is set to report\), unlabelled reported/);
  });

  it('applies what Git changed since, whatever the policy', () => {
    const next = prepared({ drift: 'report', data: { a: '2' } });
    expect(say(decide(next, present(unlabelled), context({ baseline })))).to.equal('configure');
  });

  it('is a conflict once another tool has it, even where we remember it', () => {
    const theirs = unlabelled.marked({ labels: { 'applyset.kubernetes.io/part-of': 'applyset-theirs-v1' } });
    expect(say(decide(object, present(theirs, applied), context({ baseline })))).to.equal(
      'failed (it belongs to the ApplySet applyset-theirs-v1; remove it there or here), conflict reported',
    );
  });

  it('is another’s where only its name is as we remember', () => {
    const other = LiveObject.made({ ...object.body, metadata: { name: 'web', namespace: 'shop' } });
    const remembered = { ...baseline, uid: 'uid-before' };
    expect(say(decide(object, present(other, other), context({ baseline: remembered })))).to.match(
      /^configure \(adopted/,
    );
  });
});

describe('deciding about an object of others (invariant 5)', () => {
  const manifest: JsonObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'web', namespace: 'shop' },
    data: { a: '1', b: '2' },
  };
  const same = LiveObject.made(manifest);
  const differing = LiveObject.made({ ...manifest, data: { a: 'theirs', b: '2' } });
  const marks: readonly [string, JsonObject, string][] = [
    ['another ApplySet', { labels: { 'applyset.kubernetes.io/part-of': 'x' } }, 'the ApplySet x'],
    [
      'Argo CD',
      { annotations: { 'argocd.argoproj.io/tracking-id': 'shop:/ConfigMap:shop/web' } },
      'Argo CD (shop:/ConfigMap:shop/web)',
    ],
    [
      'a Flux Kustomization',
      { labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps' } },
      'Flux (kustomize apps)',
    ],
    ['a Flux HelmRelease', { labels: { 'helm.toolkit.fluxcd.io/name': 'apps' } }, 'Flux (helm apps)'],
    ['Rancher Fleet', { annotations: { 'objectset.rio.cattle.io/id': 'f' } }, 'Rancher Fleet (f)'],
    [
      'kpt',
      { annotations: { 'config.k8s.io/owning-inventory': 'i' } },
      'the inventory i of kpt or Config Sync',
    ],
    ['kapp', { labels: { 'kapp.k14s.io/app': '17' } }, 'kapp (17)'],
    [
      'Helm',
      {
        annotations: { 'meta.helm.sh/release-name': 'r' },
        labels: { 'app.kubernetes.io/managed-by': 'Helm' },
      },
      'the Helm release r',
    ],
    ['a controller', { ownerReferences: [{ kind: 'Widget', name: 'w', controller: true }] }, 'Widget/w'],
  ];

  for (const [owner, mark, said] of marks) {
    it(`reports what belongs to ${owner} and never takes it over`, () => {
      const theirs = same.marked(mark);
      const conflict = `failed (it belongs to ${said}; remove it there or here), conflict reported`;
      const adopting = prepared({ annotations: { 'fleetwright.dev/adopt': 'true' } });
      for (const wish of [object, adopting]) {
        expect(say(decide(wish, present(theirs, applied), context()))).to.equal(conflict);
        const error = new FleetError('FieldImmutable', 'immutable');
        expect(say(decide(wish, { state: 'rejected', live: theirs.json, error }, context()))).to.equal(
          conflict,
        );
      }
    });
  }

  it('takes a mere owner, or the label that Helm charts carry, for no other tool', () => {
    const harmless = same.marked({
      ownerReferences: [{ kind: 'Widget', name: 'w' }],
      labels: { 'app.kubernetes.io/managed-by': 'Helm' },
    });
    const merged = LiveObject.applied(object).marked({
      ownerReferences: [{ kind: 'Widget', name: 'w' }],
      labels: { 'app.kubernetes.io/managed-by': 'Helm' },
    });
    expect(say(decide(object, present(harmless, merged), context()))).to.match(/^configure \(adopted/);
  });

  it('adopts at once what belongs to nobody and stays as it is', () => {
    expect(say(decide(object, present(same, applied), context()))).to.equal(
      'configure (adopted: it existed and belonged to nobody)',
    );
    const labelled = same.marked({ labels: { app: 'web' } });
    const merged = LiveObject.applied(object).marked({ labels: { app: 'web' } });
    expect(say(decide(object, present(labelled, merged), context()))).to.match(/^configure \(adopted/);
  });

  it('holds what belongs to nobody and differs, with the fields that would change', () => {
    const { outcome } = decide(object, present(differing, applied), context());
    expect('settled' in outcome && outcome.settled.action).to.equal('held');
    expect('settled' in outcome && outcome.settled.fields).to.deep.equal([
      {
        path: '.data.a',
        desired: '1',
        live: 'theirs',
        changedBy: [{ manager: 'kubectl-create', operation: 'Update', time: '2026-04-01T12:00:00Z' }],
      },
    ]);
  });

  it('holds what could not be tried, since its differences are not known', () => {
    expect(say(decide(object, present(same), context()))).to.match(/^held /);
  });

  it('adopts what its manifest says, or a person approves', () => {
    const adopting = prepared({ annotations: { 'fleetwright.dev/adopt': 'true' } });
    expect(say(decide(adopting, present(differing, applied), context()))).to.match(/^configure \(adopted/);
    const id = holdOf(object, present(differing, applied));
    expect(say(decide(object, present(differing, applied), context({ approved: [id] })))).to.match(
      /^configure \(adopted/,
    );
  });

  it('has an approval of that expire with the object, with Git’s wish and with the fields shown', () => {
    const approved = [holdOf(object, present(differing, applied))];
    const again = {
      ...differing.json,
      metadata: { ...(differing.json['metadata'] as JsonObject), uid: 'uid-2' },
    };
    const more = LiveObject.made({ ...manifest, data: { a: 'theirs', b: 'theirs' } });
    const next = prepared({ data: { a: '2', b: '2' } });
    for (const [wish, live] of [
      [object, again],
      [object, more.json],
      [next, differing.json],
    ] as const) {
      const observation = { state: 'present', live, merged: LiveObject.applied(wish).json } as const;
      expect(say(decide(wish, observation, context({ approved })))).to.match(/^held /);
    }
  });

  it('tells what the server refuses of an object that belongs to nobody, or does not exist', () => {
    const error = new FleetError('ObjectInvalid', 'data.a must be a string');
    const refused = 'failed (data.a must be a string)';
    expect(say(decide(object, { state: 'rejected', error }, context()))).to.equal(refused);
    expect(say(decide(object, { state: 'rejected', error, live: same.json }, context()))).to.equal(refused);
    expect(say(decide(object, { state: 'rejected', error, live: applied.json }, context()))).to.equal(
      refused,
    );
  });
});

function holdOf(wish: PreparedObject, observation: Observation): string {
  const { outcome } = decide(wish, observation, context());
  return 'settled' in outcome && outcome.settled.action === 'held' ? outcome.settled.holdId : '';
}
