import { expect } from 'chai';
import fc from 'fast-check';

import type { JsonObject, JsonValue } from '../../../../../src/model/json.ts';
import { checkObject, type KnownKinds } from '../../../../../src/render/validate/schema/check-object.ts';
import { kindsDefinedBy } from '../../../../../src/render/validate/schema/custom-kinds.ts';
import { knownKinds } from '../../../../harness/schema-corpus.ts';

const json = fc.jsonValue({ maxDepth: 5 }).map((value) => value as JsonValue);

/** Schemas of any shape, with the words that schemas have in the places where they have them, and elsewhere. */
const words = [
  'type',
  'properties',
  'additionalProperties',
  'items',
  'required',
  'enum',
  'default',
  'nullable',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'pattern',
  'minimum',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-preserve-unknown-fields',
];
const { schema } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<JsonValue>('object', 'array', 'string', 'integer', true, null, '^(a+)+$', 3, 'map'),
    fc.dictionary(fc.constantFrom(...words, 'a', 'b'), tie('schema'), { maxKeys: 6 }),
    fc.array(tie('schema'), { maxLength: 3 }),
  ),
}));

describe('checkObject, whatever it is given', () => {
  let kinds: KnownKinds;
  before(async () => {
    kinds = await knownKinds();
  });

  const check = (manifest: JsonObject, known = kinds) => checkObject(manifest, known);
  const metadata = { name: 'a' };

  it('never throws on an object of a built-in kind, and says the same twice', () => {
    const kindsOf = fc.constantFrom(
      ...Object.entries(kinds.builtIn.kinds).flatMap(([apiVersion, names]) =>
        Object.keys(names).map((kind) => ({ apiVersion, kind })),
      ),
    );
    fc.assert(
      fc.property(kindsOf, json, (kind, value) => {
        const manifest = { ...kind, metadata, spec: value, data: value };
        expect(check(manifest)).to.deep.equal(check(manifest));
      }),
      { numRuns: 300 },
    );
  });

  it('never throws on a definition of any shape, nor on an object of its kind', () => {
    fc.assert(
      fc.property(schema, json, (openAPIV3Schema, spec) => {
        const definition = {
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: 'CustomResourceDefinition',
          metadata: { name: 'things.example.com' },
          spec: {
            group: 'example.com',
            scope: 'Namespaced',
            names: { plural: 'things', kind: 'Thing' },
            versions: [
              {
                name: 'v1',
                served: true,
                storage: true,
                schema: { openAPIV3Schema },
              } as unknown as JsonObject,
            ],
          },
        };
        expect(check(definition).kind).to.equal('known');
        const custom = new Map(kindsDefinedBy(definition));
        const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata, spec };
        expect(check(thing, { ...kinds, custom }).kind).to.equal('known');
      }),
      { numRuns: 500 },
    );
  });

  it('does not run away with a pattern, nor with thousands of unknown fields', () => {
    const pattern = { type: 'object', properties: { spec: { type: 'string', pattern: '^(a+)+$' } } };
    const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata, spec: `${'a'.repeat(10_000)}!` };
    const found = check(thing, { ...kinds, custom: new Map([['example.com/v1/Thing', pattern]]) });
    expect(found.kind === 'known' && found.violations.length).to.equal(1);
    const fields = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`field${index}`, index]));
    const many = check({ apiVersion: 'v1', kind: 'Pod', metadata, spec: fields });
    expect(many.kind === 'known' && many.violations.length).to.equal(50_001);
  });
});
