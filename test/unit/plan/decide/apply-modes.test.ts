import { expect } from 'chai';

import type { DriftPolicy } from '../../../../src/model/settings.ts';
import { FleetError } from '../../../../src/model/fleet-error.ts';
import type { JsonObject } from '../../../../src/model/json.ts';
import { decide } from '../../../../src/plan/decide.ts';
import { triage } from '../../../../src/plan/triage.ts';
import { applySetId, context, prepared, present, say } from '../decisions.ts';
import { LiveObject } from '../live-object.ts';
import { owned, type WantedOptions } from '../objects.ts';

describe('deciding about an object that is only ever created', () => {
  const annotations = { 'fleetwright.dev/apply': 'create-only' };
  const object = prepared({ annotations });
  const applied = LiveObject.applied(object);

  it('creates it, by the policy where others deleted it', () => {
    expect(say(decide(object, { state: 'absent' }, context()))).to.equal('create');
    expect(
      say(
        decide(
          prepared({ annotations, drift: 'report' }),
          { state: 'absent' },
          context({ wasApplied: true }),
        ),
      ),
    ).to.equal('skipped (drift is set to report), missing reported');
  });

  it('leaves it alone whatever became of it and of Git', () => {
    const edited = applied.edited('data.a', '9').edited('data.x', '1');
    expect(say(decide(object, present(edited), context()))).to.equal('unchanged, proven');
    const moved = prepared({ annotations, data: { a: 'another' } });
    expect(say(decide(moved, present(applied), context()))).to.equal('unchanged, proven');
    const unlabelled = applied.without(['metadata', 'labels', 'applyset.kubernetes.io/part-of']);
    expect(say(decide(object, present(unlabelled), context()))).to.equal('unchanged, proven');
  });

  it('needs no look while it is ours and there', () => {
    const evidence = { owned: () => owned('ConfigMap/web'), baseline: () => undefined };
    expect(triage([object], evidence).unchanged).to.deep.equal([object]);
    expect(triage([object], { ...evidence, owned: () => undefined }).unseen).to.deep.equal([object]);
  });

  it('does not take over what was there before', () => {
    const found = LiveObject.made({ ...object.body, metadata: { name: 'web', namespace: 'shop' } });
    expect(say(decide(object, present(found), context()))).to.equal(
      'skipped (it existed before and is only ever created; it is not ours)',
    );
  });
});

describe('deciding about an object that may be replaced', () => {
  const error = new FleetError('FieldImmutable', 'data: Forbidden: field is immutable');
  const refused = (
    options: WantedOptions & { readonly drift?: DriftPolicy },
    { marks = {}, error: told = error }: { readonly marks?: JsonObject; readonly error?: FleetError } = {},
  ): string => {
    const object = prepared(options);
    const live = LiveObject.applied(prepared({ annotations: {} })).marked(marks);
    return say(decide(object, { state: 'rejected', live: live.json, error: told }, context()));
  };
  const annotations = { 'fleetwright.dev/apply': 'replace' };

  it('replaces it where the server refuses a change, and says which', () => {
    expect(refused({ annotations })).to.equal('configure (replaced: .data is immutable)');
    expect(refused({ annotations, drift: 'report' })).to.equal('configure (replaced: .data is immutable)');
  });

  it('does not where nothing asks for it, or where something else is wrong', () => {
    expect(refused({})).to.equal('failed (data: Forbidden: field is immutable)');
    const invalid = new FleetError('ObjectInvalid', 'data.a must be a string');
    expect(refused({ annotations }, { error: invalid })).to.equal('failed (data.a must be a string)');
  });

  it('does not touch what is on its way out, or another’s', () => {
    expect(refused({ annotations }, { marks: { deletionTimestamp: '2026-05-01T12:00:00Z' } })).to.equal(
      'pending (it is being deleted and is created anew when it is gone)',
    );
    const another = { labels: { 'applyset.kubernetes.io/part-of': `${applySetId}-other` } };
    expect(refused({ annotations }, { marks: another })).to.match(/^failed \(it belongs to the ApplySet/);
  });
});
