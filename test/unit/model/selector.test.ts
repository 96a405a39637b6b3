import { expect } from 'chai';
import fc from 'fast-check';

import {
  type LabelRequirement,
  type Labels,
  type LabelSelector,
  matchesSelector,
} from '../../../src/model/selector.ts';

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

  it('agrees with the same rules written as sets of labels', () => {
    const key = fc.constantFrom('env', 'region', 'constructor', '__proto__');
    const value = fc.constantFrom('', 'a', 'b');
    const requirement: fc.Arbitrary<LabelRequirement> = fc.oneof(
      fc.record({
        key,
        operator: fc.constantFrom('In' as const, 'NotIn' as const),
        values: fc.array(value, { minLength: 1, maxLength: 2 }),
      }),
      fc.record({ key, operator: fc.constantFrom('Exists' as const, 'DoesNotExist' as const) }),
    );
    const map = fc
      .array(fc.tuple(key, value), { maxLength: 3 })
      .map((entries) => Object.fromEntries(entries));
    const selector = fc.record({
      matchLabels: map,
      matchExpressions: fc.array(requirement, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(selector, map, (given, having) => {
        expect(matchesSelector(given, having)).to.equal(bySets(given, having));
      }),
      { numRuns: 2_000 },
    );
  });
});

/** A second reading: each requirement is a set of 'key' and 'key=value' of which one must, or none may, be there. */
function bySets({ matchLabels, matchExpressions }: LabelSelector, labels: Labels): boolean {
  const facts = new Set(Object.entries(labels).flatMap(([key, value]) => [key, `${key}=${value}`]));
  const wanted: (readonly string[])[] = Object.entries(matchLabels).map(([key, value]) => [
    `${key}=${value}`,
  ]);
  const unwanted: string[] = [];
  for (const requirement of matchExpressions) {
    const named =
      'values' in requirement
        ? requirement.values.map((value) => `${requirement.key}=${value}`)
        : [requirement.key];
    if (requirement.operator === 'In' || requirement.operator === 'Exists') wanted.push(named);
    else unwanted.push(...named);
  }
  return (
    wanted.every((any) => any.some((fact) => facts.has(fact))) && !unwanted.some((fact) => facts.has(fact))
  );
}
