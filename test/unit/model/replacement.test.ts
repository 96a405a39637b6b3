import { expect } from 'chai';

import { FleetError } from '../../../src/model/fleet-error.ts';
import { isReplaceable, reasonToReplace } from '../../../src/model/replacement.ts';

describe('reasonToReplace', () => {
  for (const [message, reason] of [
    ['spec.selector: Invalid value: {"a":"b"}: field is immutable', 'replaced: .spec.selector is immutable'],
    [
      '3 faults: data: Forbidden: field is immutable; binaryData: Forbidden: field is immutable; data: again',
      'replaced: .data, .binaryData are immutable',
    ],
    ['cannot change roleRef', 'replaced: cannot change roleRef'],
  ] as const) {
    it(`names the fields of ${message}`, () => {
      expect(reasonToReplace(new FleetError('FieldImmutable', message))).to.equal(reason);
    });
  }
});

describe('isReplaceable', () => {
  it('holds for all but what takes along what does not come back', () => {
    const kinds = [
      ['apps/v1', 'Deployment'],
      ['v1', 'ConfigMap'],
      ['example.com/v1', 'Namespace'],
      ['v1', 'Namespace'],
      ['v1', 'PersistentVolume'],
      ['v1', 'PersistentVolumeClaim'],
      ['apiextensions.k8s.io/v1', 'CustomResourceDefinition'],
    ] as const;
    expect(kinds.map(([apiVersion, kind]) => isReplaceable({ apiVersion, kind }))).to.deep.equal([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
