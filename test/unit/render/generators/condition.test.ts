import { expect } from 'chai';
import fc from 'fast-check';

import { parseCondition } from '../../../../src/config/generator/condition.ts';
import type { JsonObject } from '../../../../src/model/json.ts';
import { evaluateCondition } from '../../../../src/render/generators/condition.ts';
import type { TemplateData } from '../../../../src/render/templates/template-data.ts';

const params: JsonObject = {
  replicas: 2,
  ratio: 1.5,
  name: 'web',
  zones: ['a', 'b'],
  deep: { on: true, none: null },
  many: Array.from({ length: 200 }, (_, index) => index),
};
const data: TemplateData = {
  cluster: { name: 'east', labels: { tier: 'gold' }, annotations: { 'example.com/x': 'y' } },
  fleet: { name: 'acme' },
  params,
};
const reached: TemplateData = {
  ...data,
  cluster: {
    ...data.cluster,
    version: '1.36',
    kubeVersion: 'v1.36.3',
    apiVersions: ['v1', 'batch/v1/CronJob'],
  },
  item: { tenant: 'blue' },
};

const outcomeOf = (text: string, given = data): boolean | string => {
  const outcome = evaluateCondition(text, given);
  return outcome.ok ? outcome.holds : outcome.message;
};

describe('conditions', () => {
  const values: readonly (readonly [string, boolean])[] = [
    ['cluster.labels.tier == "gold" && params.replicas > 1', true],
    ['cluster.annotations["example.com/x"] == "y"', true],
    ['has(cluster.labels.nope)', false],
    ['"nope" in cluster.labels || cluster.name.startsWith("ea")', true],
    ['params.replicas * 2 == 4 && params.ratio * 2.0 == 3.0', true],
    ['params.zones.exists(zone, zone == "b")', true],
    ['params.deep.on && params.deep.none == null', true],
    ['cluster.name.matches("^e.*t$")', true],
    ['has(cluster.labels.constructor) || has(params.toString)', false],
    ['fleet.name == "acme"', true],
  ];
  for (const [text, holds] of values) {
    it(`${text} is ${holds}`, () => {
      expect(outcomeOf(text)).to.equal(holds);
    });
  }

  it('know the item, and the server once it was reached', () => {
    expect(outcomeOf('item.tenant == "blue" && "batch/v1/CronJob" in cluster.apiVersions', reached)).to.equal(
      true,
    );
  });

  const faults: readonly (readonly [string, string])[] = [
    ['cluster.labels.nope == "x"', 'there is no nope, at character 15; ask with has(…) or "…" in … first'],
    [
      'item.tenant == "blue"',
      'nothing is named "item", at character 1; it is there only with each; known are cluster, fleet, params and item',
    ],
    [
      'clutser.name == "x"',
      'nothing is named "clutser", at character 1; known are cluster, fleet, params and item',
    ],
    ['cluster.version == "1.36"', 'cluster.version is not known, since the cluster has not been reached yet'],
    ['params.replicas', 'gives the number "2", not true or false'],
    ['params.zones', 'gives a list, not true or false'],
    ['cluster.name.matches("(")', 'error parsing regexp: missing closing ): `(`, at character 13'],
  ];
  for (const [text, message] of faults) {
    it(`say what is wrong with ${text}`, () => {
      expect(outcomeOf(text)).to.equal(message);
    });
  }

  it('tell facts that are not known yet from other faults', () => {
    expect(evaluateCondition('cluster.kubeVersion == ""', data)).to.include({
      ok: false,
      code: 'FactsUnknown',
    });
    expect(evaluateCondition('cluster.nope == ""', data)).not.to.have.property('code');
  });

  const bombs: readonly string[] = [
    'params.many.all(x, params.many.all(y, x + y >= 0))',
    `params.many.map(x, "${'a'.repeat(50)}").map(x, ${Array(150).fill('x').join('+')}).map(x, ${Array(170).fill('x').join('+')}) == []`,
    `[[1]].map(x, ${Array(160).fill('x').join('+')}).map(x, ${Array(150).fill('x').join('+')}) == []`,
  ];
  for (const text of bombs) {
    it(`stop at a limit: ${text.slice(0, 50)}…`, () => {
      expect(outcomeOf(text)).to.match(/^it (loops|makes)/);
    });
  }

  it('are bounded before they are evaluated', () => {
    const refused = (text: string): string => {
      const parsed = parseCondition(text);
      return parsed.ok ? '' : parsed.message;
    };
    expect(refused('x'.repeat(1_025))).to.equal('must be no longer than 1024 characters');
    expect(refused(`${'('.repeat(500)}1${')'.repeat(500)}`)).to.match(/^is no CEL expression: /);
    expect(refused('[1].map(a, [1].map(b, [1].map(c, [1].map(d, d)))) == []')).to.match(/at most 3 times$/);
    expect(refused('1 +')).to.equal(
      'is no CEL expression: found + but expecting end of input, at character 3',
    );
  });

  it('end on any input', () => {
    const token = fc.constantFrom(
      'cluster',
      'params',
      '.',
      'labels',
      '(',
      ')',
      '[',
      ']',
      '"a"',
      '1',
      '+',
      '==',
      '&&',
      '?',
      ':',
      'x',
      ',',
      '.map(',
      '.all(',
      'many',
      '!',
      '-',
      '{',
      '}',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(token, { maxLength: 30 }).map((parts) => parts.join('')),
          fc.string(),
        ),
        (text) => {
          const outcome = evaluateCondition(text, reached);
          expect(outcome.ok || outcome.message.length > 0).to.equal(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});
