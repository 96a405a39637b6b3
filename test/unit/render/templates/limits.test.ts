import { expect } from 'chai';
import fc from 'fast-check';

import { renderTemplate } from '../../../../src/render/templates/render-template.ts';
import { templateDataOf } from './template-data.ts';

function faultOf(template: string): string {
  const result = renderTemplate(template, templateDataOf());
  return result.ok ? `it rendered ${result.text.length} characters` : result.message;
}

const work = 'the limit on work: more than 500000 tags, outputs and texts are rendered';
const memory = 'the limit on memory: filters and ranges make more than 10 million characters and items';

describe('a template without end', () => {
  const bombs: [string, string, string][] = [
    ['loops', '{% for i in (1..9000) %}{% for j in (1..9000) %}{% endfor %}{% endfor %}', work],
    ['loops over text', '{% for i in (1..9000000) %}x{% endfor %}', work],
    ['has too long a range', '{% for i in (1..99999999999) %}{% endfor %}', memory],
    ['doubles a text', `{% assign a = "xx" %}${'{% assign a = a | append: a %}'.repeat(40)}`, memory],
    ['doubles quotes', `{% assign a = '"' %}${'{% assign a = a | to_json %}'.repeat(40)}`, memory],
    [
      'doubles a list',
      `{% assign a = "x" | split: "" %}${'{% assign a = a | concat: a %}'.repeat(40)}`,
      memory,
    ],
    [
      'writes too much',
      `{% assign a = "${'x'.repeat(50_000)}" %}{% for i in (1..400) %}{{ a }}{% endfor %}`,
      'the limit on output: more than 10 Mi characters are written',
    ],
    [
      'captures too much',
      `{% assign a = "${'x'.repeat(50_000)}" %}{% for i in (1..400) %}{% capture b %}{{ a }}{% endcapture %}{% endfor %}`,
      'the limit on output: more than 10 Mi characters are written',
    ],
    [
      'goes too deep',
      '{% if true %}'.repeat(120) + '{% endif %}'.repeat(120),
      'the limit on depth: tags and included files go more than 100 deep',
    ],
    [
      'goes too deep to be read',
      '{% if true %}'.repeat(20_000),
      'the limit on depth: tags stand too deep in one another',
    ],
    [
      'is too long',
      '{{ 1 }}' + 'x'.repeat(10 * 1024 * 1024),
      'the limit on length: a template is longer than 10 Mi characters',
    ],
  ];
  for (const [what, template, fault] of bombs) {
    it(`that ${what} ends in a fault that names the limit`, () => {
      expect(faultOf(template)).to.equal(fault);
    });
  }

  it('never hangs, crashes or throws, whatever it is made of', () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 10 }),
      fc.constantFrom(
        '{{',
        '}}',
        '{%',
        '%}',
        '{%-',
        '-%}',
        '|',
        '"',
        "'",
        '[',
        ']',
        '(',
        '..',
        ')',
        ':',
        ',',
      ),
      fc.constantFrom(
        ' if ',
        ' endif ',
        ' for ',
        ' in ',
        ' endfor ',
        ' assign ',
        ' = ',
        ' liquid ',
        ' cycle ',
      ),
      fc.constantFrom(
        ' include ',
        ' render ',
        ' layout ',
        ' block ',
        ' raw ',
        ' endraw ',
        ' capture ',
        ' case ',
      ),
      fc.constantFrom(
        ' params ',
        ' cluster.labels ',
        ' to_yaml ',
        ' default ',
        ' where ',
        ' sort ',
        ' 9999999 ',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const result = renderTemplate(pieces.join(''), templateDataOf());
        if (result.ok) return;
        expect(result.message).to.be.a('string').and.not.equal('');
        expect(result.line).to.be.greaterThan(0);
        expect(result.column).to.be.greaterThan(0);
      }),
      { numRuns: 1_000 },
    );
  });
});
