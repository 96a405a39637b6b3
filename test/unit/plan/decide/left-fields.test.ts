import { expect } from 'chai';

import { decide } from '../../../../src/plan/decide.ts';
import { context, prepared, present, say } from '../decisions.ts';
import { LiveObject } from '../live-object.ts';

describe('deciding about fields that are left to others', () => {
  const annotations = { 'fleetwright.dev/ignore-fields': '.data.b' };
  const leaving = prepared({ annotations });
  const handedOver = LiveObject.applied(prepared({ annotations, data: { a: '1' } }));
  const live = handedOver.marked({ annotations: { 'fleetwright.dev/desired-hash': leaving.hash } });

  it('takes what others make of them for no drift', () => {
    const edited = live.edited('data.b', '7');
    const settled = { baseline: edited.baseline(leaving) };
    expect(say(decide(leaving, present(edited, edited), context(settled)))).to.equal('unchanged, proven');
    expect(
      say(decide(prepared({ annotations, drift: 'report' }), present(edited, edited), context())),
    ).to.equal('unchanged, proven');
  });

  it('hands them over where they are still ours, whatever the policy for drift', () => {
    const held = LiveObject.applied(leaving);
    for (const drift of ['correct', 'report', 'ignore'] as const)
      expect(say(decide(prepared({ annotations, drift }), present(held, held), context()))).to.equal(
        'configure (fields that Git leaves to others were still ours)',
      );
  });
});
