import { expect } from 'chai';

import { renderValue, variablesOfValue } from '../../../../src/render/templates/render-value.ts';
import { templateDataOf } from './template-data.ts';

describe('renderValue', () => {
  it('renders every text, and keeps the type of one that is a whole output', () => {
    const value = {
      replicas: '{{ params.replicas }}',
      image: 'registry/{{ params.image }}',
      spaced: ' {{ params.replicas }}',
      ports: ['{{- params.ports -}}', '{{ params.ports[0] }}', 1, true, null],
      limits: { all: '{{ params.limits }}' },
      fallback: '{{ params.missing | default: 3 }}',
      nothing: '{{ nil }}',
      plain: 'yes',
      '{{ key }}': '',
    };
    expect(renderValue(value, templateDataOf())).to.deep.equal({
      ok: true,
      value: {
        replicas: 2,
        image: 'registry/nginx',
        spaced: ' 2',
        ports: [[80, 443], 80, 1, true, null],
        limits: { all: { cpu: '500m', enabled: 'no' } },
        fallback: 3,
        nothing: null,
        plain: 'yes',
        '{{ key }}': '',
      },
    });
  });

  it('shares nothing with the data', () => {
    const data = templateDataOf();
    const result = renderValue({ ports: '{{ params.ports }}' }, data);
    expect(result.ok && result.value['ports']).to.deep.equal(data.params['ports']);
    expect(result.ok && result.value['ports']).not.to.equal(data.params['ports']);
  });

  it('finds every fault, and where it is', () => {
    const value = {
      a: ['x', '{{ params.nope }}'],
      b: { c: '{{ 1 | divided_by: 0 }}', d: '{{ cluster.version }}' },
    };
    expect(renderValue(value, templateDataOf())).to.deep.equal({
      ok: false,
      faults: [
        { path: ['a', 1], message: 'undefined variable: params.nope' },
        { path: ['b', 'c'], message: 'gives Infinity, which is no number that JSON can hold' },
        {
          path: ['b', 'd'],
          message: 'cluster.version is not known, since the cluster has not been reached yet',
          code: 'FactsUnknown',
        },
      ],
    });
  });

  it('keeps a key that is named like a prototype', () => {
    const value = JSON.parse('{"__proto__": {"a": "{{ params.image }}"}}') as Record<string, string>;
    const result = renderValue(value, templateDataOf());
    expect(JSON.stringify(result)).to.equal('{"ok":true,"value":{"__proto__":{"a":"nginx"}}}');
  });

  it('tells beforehand what it can read', () => {
    const value = {
      a: ['{{ params.image }}', '{{ cluster.labels.env }}'],
      b: { c: 'x', d: '{{ params.image }}' },
    };
    expect(variablesOfValue(value).paths).to.deep.equal([
      ['cluster', 'labels', 'env'],
      ['params', 'image'],
    ]);
  });
});
