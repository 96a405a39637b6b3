import { expect } from 'chai';

import { type LabelRequirement, matchesSelector } from '../../../src/model/selector.ts';

const labels = { env: 'production', region: 'cn-east', empty: '' };

describe('a label selector, as Kubernetes reads one', () => {
  const matches = (requirement: LabelRequirement): boolean =>
    matchesSelector({ matchLabels: {}, matchExpressions: [requirement] }, labels);

  it('matches everything when it is empty', () => {
    expect(matchesSelector({ matchLabels: {}, matchExpressions: [] }, {})).to.equal(true);
  });

  for (const [requirement, matching] of [
    [{ key: 'env', operator: 'In', values: ['staging', 'production'] }, true],
    [{ key: 'env', operator: 'In', values: ['staging'] }, false],
    [{ key: 'tier', operator: 'In', values: ['web'] }, false],
    [{ key: 'env', operator: 'NotIn', values: ['staging'] }, true],
    [{ key: 'env', operator: 'NotIn', values: ['production'] }, false],
    [{ key: 'tier', operator: 'NotIn', values: ['web'] }, true],
    [{ key: 'empty', operator: 'Exists' }, true],
    [{ key: 'tier', operator: 'Exists' }, false],
    [{ key: 'empty', operator: 'DoesNotExist' }, false],
    [{ key: 'tier', operator: 'DoesNotExist' }, true],
    [{ key: 'constructor', operator: 'Exists' }, false],
    [{ key: 'toString', operator: 'NotIn', values: ['x'] }, true],
  ] as const) {
    it(`${matching ? 'matches' : 'does not match'} ${JSON.stringify(requirement)}`, () => {
      expect(matches(requirement)).to.equal(matching);
    });
  }

  it('needs all of its parts', () => {
    const matchLabels = { env: 'production' };
    const region = (...values: string[]): LabelRequirement => ({ key: 'region', operator: 'In', values });
    expect(matchesSelector({ matchLabels, matchExpressions: [region('cn-east')] }, labels)).to.equal(true);
    expect(matchesSelector({ matchLabels, matchExpressions: [region('cn-north')] }, labels)).to.equal(false);
    expect(matchesSelector({ matchLabels: { env: '' }, matchExpressions: [] }, labels)).to.equal(false);
  });
});
