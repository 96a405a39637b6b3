import { expect } from 'chai';

import { orphanPatch } from '../../../src/model/orphan.ts';

const partOf = 'applyset.kubernetes.io/part-of';
const ours = { manager: 'fleetwright', operation: 'Apply', fieldsV1: {} };
const theirs = { manager: 'hpa', operation: 'Update', fieldsV1: {} };

describe('orphanPatch', () => {
  it('takes away what we wrote and our ownership, if the object is still as it was', () => {
    const live = {
      metadata: {
        resourceVersion: '7',
        labels: { [partOf]: 'applyset-1', app: 'web' },
        annotations: { 'fleetwright.dev/generator': 'web', 'fleetwright.dev/deletion': 'orphan', team: 'a' },
        managedFields: [ours, theirs],
      },
    };
    expect(orphanPatch(live)).to.deep.equal([
      { op: 'remove', path: '/metadata/labels/applyset.kubernetes.io~1part-of' },
      { op: 'remove', path: '/metadata/annotations/fleetwright.dev~1generator' },
      { op: 'remove', path: '/metadata/annotations/fleetwright.dev~1deletion' },
      { op: 'replace', path: '/metadata/managedFields', value: [theirs] },
      { op: 'replace', path: '/metadata/resourceVersion', value: '7' },
    ]);
  });

  it('empties the list of owners where we were the only one', () => {
    const live = { metadata: { resourceVersion: '7', managedFields: [ours] } };
    expect(orphanPatch(live)[0]).to.deep.equal({
      op: 'replace',
      path: '/metadata/managedFields',
      value: [{}],
    });
  });
});
