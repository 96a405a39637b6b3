import { expect } from 'chai';
import fc from 'fast-check';

import { selectorSchema } from '../../../../src/config/schema/selector-schema.ts';
import { type LabelRequirement, type Labels, matchesSelector } from '../../../../src/model/selector.ts';

const key: fc.Arbitrary<string> = fc.constantFrom(
  'env',
  'region',
  'example.com/tier',
  'constructor',
  'toString',
);
const value: fc.Arbitrary<string> = fc.constantFrom('', 'a', 'b', 'c');
const labels: fc.Arbitrary<Labels> = fc.dictionary(key, value);
const values = fc.uniqueArray(value, { minLength: 1, maxLength: 3 });
const requirement: fc.Arbitrary<LabelRequirement> = fc.oneof(
  fc.record({ key, operator: fc.constantFrom('In' as const, 'NotIn' as const), values }),
  fc.record({ key, operator: fc.constantFrom('Exists' as const, 'DoesNotExist' as const) }),
);

function matches(selector: unknown, given: Labels): boolean {
  return matchesSelector(selectorSchema.parse(selector), given);
}

const one = (expression: unknown) => ({ matchExpressions: [expression] });

describe('a cluster selector', () => {
  it('that is empty is for every cluster', () => {
    fc.assert(
      fc.property(
        labels,
        (given) => matches({}, given) && matches({ matchLabels: {}, matchExpressions: [] }, given),
      ),
    );
  });

  it('wants all of its parts', () => {
    fc.assert(
      fc.property(
        labels,
        fc.dictionary(key, value),
        fc.array(requirement, { maxLength: 4 }),
        (given, matchLabels, matchExpressions) => {
          const parts = [
            ...Object.entries(matchLabels).map(([name, wanted]) =>
              matches({ matchLabels: { [name]: wanted } }, given),
            ),
            ...matchExpressions.map((expression) => matches(one(expression), given)),
          ];
          expect(matches({ matchLabels, matchExpressions }, given)).to.equal(parts.every(Boolean));
        },
      ),
    );
  });

  it('has operators that are opposites, and holds NotIn where the label is missing', () => {
    fc.assert(
      fc.property(labels, key, values, (given, name, wanted) => {
        const has = Object.keys(given).includes(name);
        const isIn = has && wanted.includes(given[name] ?? '');
        expect(matches(one({ key: name, operator: 'In', values: wanted }), given)).to.equal(isIn);
        expect(matches(one({ key: name, operator: 'NotIn', values: wanted }), given)).to.equal(!isIn);
        expect(matches(one({ key: name, operator: 'Exists' }), given)).to.equal(has);
        expect(matches(one({ key: name, operator: 'DoesNotExist' }), given)).to.equal(!has);
      }),
    );
  });

  it('takes matchLabels for an In of one value', () => {
    fc.assert(
      fc.property(labels, key, value, (given, name, wanted) => {
        const short = matches({ matchLabels: { [name]: wanted } }, given);
        expect(short).to.equal(matches(one({ key: name, operator: 'In', values: [wanted] }), given));
      }),
    );
  });
});
