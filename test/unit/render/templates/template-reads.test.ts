import { expect } from 'chai';
import fc from 'fast-check';

import { renderTemplate, variablesOf } from '../../../../src/render/templates/render-template.ts';
import type { TemplateData } from '../../../../src/render/templates/template-data.ts';
import { joinReads, pickReads } from '../../../../src/render/templates/template-reads.ts';
import { templateDataOf } from './template-data.ts';

const everything = [['cluster'], ['fleet'], ['item'], ['params']];

describe('what a template can read', () => {
  const cases: [string, string[][]][] = [
    ['no template', []],
    [
      '{{ params.a.b }}{{ cluster.labels["x.y/z"] }}',
      [
        ['cluster', 'labels', 'x.y/z'],
        ['params', 'a', 'b'],
      ],
    ],
    [
      '{% if cluster.labels.env == params.env %}{% endif %}',
      [
        ['cluster', 'labels', 'env'],
        ['params', 'env'],
      ],
    ],
    ['{{ params.a }}{{ params.a.b }}', [['params', 'a']]],
    [
      '{{ cluster.labels[params.key].x }}',
      [
        ['cluster', 'labels'],
        ['params', 'key'],
      ],
    ],
    ['{% for l in cluster.labels %}{{ l[0] }}{% endfor %}', [['cluster', 'labels']]],
    [
      '{{ params.list.size }}{{ params.other.first.x }}',
      [
        ['params', 'list'],
        ['params', 'other'],
      ],
    ],
    ['{% if false %}{{ cluster.version }}{% endif %}', [['cluster', 'version']]],
    ['{% assign params = 1 %}{{ params.x }}', [['params', 'x']]],
    [
      '{{ "x" | default: params.a, allow_false: params.b }}',
      [
        ['params', 'a'],
        ['params', 'b'],
      ],
    ],
    [
      '{% case params.a %}{% when item.b %}{% endcase %}',
      [
        ['item', 'b'],
        ['params', 'a'],
      ],
    ],
    [
      '{% for i in (1..params.n) limit: params.m %}{% endfor %}',
      [
        ['params', 'm'],
        ['params', 'n'],
      ],
    ],
    ['{% render "_x", a: cluster.name %}', [['cluster', 'name']]],
    ['{% render params.file %}', everything],
    ['{% include "_{{ params.file }}" %}', everything],
    ['{{ [params.a].b }}', everything],
    ['{% raw %}{{ params.a }}{% endraw %}', []],
    ['{{ params.a', []],
  ];
  for (const [template, paths] of cases) {
    it(template, () => {
      expect(variablesOf(template).paths).to.deep.equal(paths);
    });
  }

  it('joins without repeating what is within another', () => {
    const reads = [variablesOf('{{ params.a.b }}'), variablesOf('{{ params.a }}{{ fleet.name }}')];
    expect(joinReads(reads).paths).to.deep.equal([
      ['fleet', 'name'],
      ['params', 'a'],
    ]);
  });

  it('tells missing, null and absent parents apart', () => {
    const picks = [
      {},
      { a: null },
      { a: { b: null } },
      { a: { b: 'missing' } },
      { a: {} },
      { a: { c: 1 } },
    ].map((params) =>
      JSON.stringify(pickReads(templateDataOf({ params }), { paths: [['params', 'a', 'b']] })),
    );
    expect(new Set(picks).size).to.equal(picks.length);
  });

  it('is all that its rendering depends on', () => {
    const path = fc.constantFrom(
      'params.a',
      'params.b',
      'params.c.d',
      'params.c',
      'cluster.name',
      'cluster.labels.x',
    );
    const hard = fc.constantFrom(
      'cluster.labels[params.a]',
      'params.c.size',
      '[params.a].b',
      'params.b.first',
      'cluster.version',
      'params.c[params.b].x',
    );
    const expression = fc.oneof(path, path, hard);
    const statement = fc.oneof(
      expression.map((e) => `{{ ${e} | to_json }}`),
      fc.tuple(expression, expression).map(([a, b]) => `{{ ${a} | default: ${b} | to_json }}`),
      fc
        .tuple(expression, expression)
        .map(([a, b]) => `{% if ${a} == ${b} %}1{% else %}{{ ${b} | to_json }}{% endif %}`),
      expression.map((e) => `{% assign params = ${e} %}`),
      expression.map((e) => `{% if false %}{% assign cluster = ${e} %}{% endif %}`),
      fc
        .tuple(expression, expression)
        .map(([a, b]) => `{% for i in ${a} %}{{ i | to_json }}{{ ${b} | to_json }}{% endfor %}`),
      expression.map((e) => `{{ params.c | where: "x", ${e} | to_json }}`),
      expression.map((e) => `{% capture s %}{{ ${e} | to_json }}{% endcapture %}{{ s }}`),
    );
    const scalar = fc.constantFrom('a', 'b', 'x', 'cluster', 'params', 1, true, null);
    const value = fc.oneof(
      scalar,
      fc.array(scalar, { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('d', 'x', 'b'), scalar),
    );
    const data = fc
      .record(
        {
          params: fc.dictionary(fc.constantFrom('a', 'b', 'c'), value),
          label: fc.constantFrom('x', 'y'),
          version: fc.constantFrom('1.35', '1.36'),
        },
        { requiredKeys: ['params', 'label'] },
      )
      .map(({ params, label, version }): TemplateData => {
        const cluster = { name: label, labels: { [label]: 'a' }, annotations: {} };
        return {
          cluster: version === undefined ? cluster : { ...cluster, version },
          fleet: { name: 'acme' },
          params,
        };
      });
    fc.assert(
      fc.property(
        fc.array(statement, { maxLength: 4 }),
        fc.array(data, { minLength: 2, maxLength: 8 }),
        (parts, several) => {
          const template = parts.join('');
          const reads = variablesOf(template);
          const known = new Map<string, unknown>();
          for (const one of several) {
            const key = JSON.stringify(pickReads(one, reads));
            const result = renderTemplate(template, one);
            if (known.has(key)) expect(result, template).to.deep.equal(known.get(key));
            known.set(key, result);
          }
        },
      ),
      { numRuns: 1_500 },
    );
  });
});
