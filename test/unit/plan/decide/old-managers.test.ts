import { expect } from 'chai';

import type { DriftPolicy } from '../../../../src/model/settings.ts';
import { decide } from '../../../../src/plan/decide.ts';
import { context, prepared, present, say } from '../decisions.ts';
import { LiveObject } from '../live-object.ts';

describe('deciding about an object of ours that somebody applied in the old way', () => {
  const decided = (drift: DriftPolicy): string => {
    const object = prepared({ drift });
    const applied = LiveObject.applied(object);
    const live = applied.edited('data.a', '1', 'kubectl-client-side-apply').json;
    // The same value: both own it.
    const own = (live['metadata'] as { managedFields: { fieldsV1: unknown }[] }).managedFields[0]!;
    own.fieldsV1 = (
      applied.json['metadata'] as unknown as { managedFields: { fieldsV1: unknown }[] }
    ).managedFields[0]!.fieldsV1;
    return say(decide(object, { state: 'present', live, merged: live }, context()));
  };

  it('ends the part that it has in our fields, where drift is corrected', () => {
    expect(decided('correct')).to.equal(
      'configure (fields of ours were also those of kubectl-client-side-apply)',
    );
  });

  it('leaves it where drift is only reported', () => {
    expect(decided('report')).to.equal('unchanged, proven');
    expect(decided('ignore')).to.equal('unchanged, proven');
  });

  it('has nothing to do where its part is another', () => {
    const object = prepared();
    const live = LiveObject.applied(object).edited('data.x', '1', 'kubectl-client-side-apply');
    expect(say(decide(object, present(live, live), context()))).to.equal(
      'unchanged, changed reported: .data.x, proven',
    );
  });
});
