import { readFileSync } from 'node:fs';

import { expect } from 'chai';
import fc from 'fast-check';

import { parseManifests } from '../../../../src/config/yaml/parse-manifests.ts';
import type { JsonValue } from '../../../../src/model/json.ts';
import { ownFilters } from '../../../../src/render/templates/filters/own-filters.ts';
import { renderTemplate } from '../../../../src/render/templates/render-template.ts';
import { templateDataOf } from './template-data.ts';

function apply(filter: string, value: JsonValue): string {
  const result = renderTemplate(`{{ params.value | ${filter} }}`, templateDataOf({ params: { value } }));
  if (!result.ok) throw new Error(result.message);
  return result.text;
}

/** What a reader of manifests makes of a text that stands behind a key. */
function readBack(text: string): unknown {
  const { documents, faults } = parseManifests(text, { file: 'x.yaml' });
  expect(
    faults.map((fault) => fault.describe()),
    text,
  ).to.deep.equal([]);
  return documents[0]?.value['value'];
}

/** Texts that YAML 1.1 takes for something else. */
const ambiguous = [
  ...[
    'yes',
    'no',
    'on',
    'off',
    'y',
    'N',
    'true',
    'null',
    '~',
    '',
    '0755',
    '0o17',
    '0x1f',
    '0b1',
    '1_000',
    '1e3',
  ],
  ...[
    '81111e1',
    '.5',
    '-.inf',
    '.nan',
    '12:30:45',
    '2024-01-02',
    '<<',
    '=',
    '- a',
    '? a',
    ': a',
    '#a',
    'a: b',
    '@a',
  ],
  ...[
    '%a',
    '`a',
    '!a',
    '&a',
    '*a',
    '|',
    '>',
    '[a',
    '{a',
    '"',
    "'",
    ' a',
    'a ',
    'a\nb',
    'a\n\n b\n',
    '\t',
    '---',
    '...',
  ],
];

/** Text as it may stand in YAML at all: anything but lone halves of characters. */
const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...ambiguous));
const json = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.boolean(),
    fc.constant(null),
    fc.maxSafeInteger(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      text.filter((key) => key !== '__proto__'),
      tie('value'),
      { maxKeys: 4 },
    ),
  ),
})).value;

describe('filters', () => {
  const cases: [string, JsonValue, string][] = [
    ['default: "x"', '', 'x'],
    ['default: "x"', false, 'x'],
    ['default: "x"', null, 'x'],
    ['default: "x"', 0, '0'],
    ['default: "x", allow_false: true', false, 'false'],
    ['required: "missing"', 0, '0'],
    ['quote', 'a "b"\n', '"a \\"b\\"\\n"'],
    ['quote', 5, '"5"'],
    ['quote', null, '""'],
    ['squote', "it's", "'it''s'"],
    ['indent: 2', 'a\n\n  b', '  a\n\n    b'],
    ['nindent: 4', 'a\nb', '\n    a\n    b'],
    ['to_yaml', { b: [1, { c: 'no' }], a: '0755' }, "a: '0755'\nb:\n  - 1\n  - c: 'no'"],
    ['to_yaml', [], '[]'],
    ['to_yaml', 'plain', 'plain'],
    ['to_json', { b: [1, null], a: 'x' }, '{"a":"x","b":[1,null]}'],
    ['b64enc', 'héllo', 'aMOpbGxv'],
    ['b64dec', 'aMOpbGxv', 'héllo'],
    ['sha256', 'x', '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881'],
    ['lower', 'ABC', 'abc'],
    ['upper', 'abc', 'ABC'],
    ['trim', ' a ', 'a'],
  ];
  for (const [filter, value, result] of cases) {
    it(`${filter} of ${JSON.stringify(value)}`, () => {
      expect(apply(filter, value)).to.equal(result);
    });
  }

  it('are all that the page on rendering names', () => {
    const page = readFileSync(new URL('../../../../docs/rendering.md', import.meta.url), 'utf8');
    const [, table = ''] = page.split('### Filters');
    const rows = table.split('\n###')[0]?.match(/^\| `.*? \|/gm) ?? [];
    const names = rows.flatMap((row) => Array.from(row.matchAll(/`(\w+)/g), ([, name = '']) => name));
    expect(names).to.include.members(Object.keys(ownFilters));
    for (const name of names) {
      const result = renderTemplate(`{{ "eA==" | ${name}: 1 }}`, templateDataOf());
      expect(result, name).to.have.property('ok', true);
    }
  });

  it('say what they cannot take', () => {
    const faults: [string, JsonValue, string][] = [
      ['squote', 'a\nb', 'a text of several lines cannot stand between single quotes; use quote'],
      ['indent', 'a', 'needs a number of spaces, as in indent: 4'],
      ['b64dec', 'a?b', 'b64dec needs base64, and this is none'],
      ['b64dec', '/w==', 'b64dec gives text, and what is encoded here is none'],
      ['b64enc', { a: 1 }, 'a map has no text of its own: use to_yaml or to_json, or one of its keys'],
      ['where_exp: "x", "x.a"', [], 'the filter where_exp is not available: use where'],
    ];
    for (const [filter, value, message] of faults)
      expect(() => apply(filter, value), filter).to.throw(message);
  });

  it('look for a property in the item alone', () => {
    const value = [{ name: 'a', cluster: { on: true } }, { name: 'b' }];
    expect(apply('where: "cluster" | map: "name" | join', value)).to.equal('a');
    expect(apply('where: "cluster.on", true | map: "name" | join', value)).to.equal('a');
  });

  it('to_yaml and quote give what kubectl reads as the very same value', () => {
    for (const value of ambiguous) {
      expect(readBack(`value: ${apply('quote', value)}`)).to.equal(value);
      expect(readBack(`value: ${apply('to_yaml | nindent: 2', value)}`), value).to.equal(value);
    }
    fc.assert(
      fc.property(json, (value) => {
        expect(readBack(`value: ${apply('to_yaml | nindent: 2', value)}`)).to.deep.equal(value);
        if (typeof value === 'string') expect(readBack(`value: ${apply('quote', value)}`)).to.equal(value);
      }),
      { numRuns: 300 },
    );
  });

  it('give the same text for equal values, whatever the order of their keys', () => {
    expect(apply('to_yaml', { a: { c: 1, b: 2 } })).to.equal(apply('to_yaml', { a: { b: 2, c: 1 } }));
    expect(apply('to_json', { a: { c: 1, b: 2 } })).to.equal(apply('to_json', { a: { b: 2, c: 1 } }));
  });
});
