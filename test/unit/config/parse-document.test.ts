import { expect } from 'chai';
import fc from 'fast-check';

import { parseGenerator } from '../../../src/config/generator/parse-generator.ts';
import { selectorSchema } from '../../../src/config/schema/selector-schema.ts';
import { parseManifests } from '../../../src/config/yaml/parse-manifests.ts';
import { matchesSelector } from '../../../src/model/selector.ts';

/** The faults of a generator whose selector is this, as JSON. */
function faultsOfSelector(selector: string): string[] {
  const text = `apiVersion: fleetwright.dev/v1alpha1\nkind: Generator\nmetadata: {name: a}\nspec: {source: {path: a}, clusterSelector: ${selector}}\n`;
  const { documents, faults } = parseManifests(text, { file: 'a.yaml' });
  const [document] = documents;
  if (document === undefined) return faults.map(({ message }) => message);
  const parsed = parseGenerator(document, { file: 'a.yaml' });
  return parsed.ok ? [] : parsed.faults.map(({ message }) => message);
}

describe('selectors that nobody would write', () => {
  it('are read or refused, whatever they are, and ask no more than a look at the labels', () => {
    const key = fc.constantFrom(
      'matchLabels',
      'matchExpressions',
      'key',
      'operator',
      'values',
      'env',
      '__proto__',
    );
    const text = fc.constantFrom('In', 'NotIn', 'Exists', 'env', '', 'a/b/c', '-', 'x'.repeat(64));
    const anything = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        text,
        fc.constantFrom<unknown>(null, true, 1, {}, []),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 3 }),
      ),
    })).value;
    fc.assert(
      fc.property(anything, fc.dictionary(key, text), (given, labels) => {
        const parsed = selectorSchema.safeParse(given);
        if (parsed.success) expect(matchesSelector(parsed.data, labels)).to.be.a('boolean');
        else expect(parsed.error.issues).not.to.deep.equal([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('may be long', () => {
    const long = Array.from({ length: 100_000 }, (_, index) => `v${index}`);
    expect(
      faultsOfSelector(JSON.stringify({ matchExpressions: [{ key: 'a', operator: 'In', values: long }] })),
    ).to.deep.equal([]);
  });

  it('have no more faults than a person reads, in a bounded time', () => {
    const many = (item: string): string => Array<string>(150_000).fill(item).join(',');
    for (const selector of [
      `{matchExpressions: [{key: a, operator: In, values: [${many('"-"')}]}]}`,
      `{matchExpressions: [${many('{}')}]}`,
      `{matchLabels: {${Array.from({ length: 100_000 }, (_, index) => `_${index}: "-"`).join(',')}}}`,
      `{${Array.from({ length: 100_000 }, (_, index) => `k${index}: 1`).join(',')}}`,
    ]) {
      const faults = faultsOfSelector(selector);
      expect(faults.length).to.be.within(1, 101);
      expect(faults.at(-1)).to.match(/more faults|too many faults/);
    }
  });
});
