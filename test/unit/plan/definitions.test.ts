import { expect } from 'chai';

import { definedKinds, isDefinition } from '../../../src/plan/definitions.ts';
import { wanted } from './objects.ts';

function definition(scope: string): ReturnType<typeof wanted> {
  return wanted('CustomResourceDefinition/widgets.example.com', {
    spec: {
      group: 'example.com',
      scope,
      names: { kind: 'Widget', plural: 'widgets' },
      versions: [{ name: 'v1', served: true }, { name: 'v1beta1', served: false }, { name: 'v2' }],
    },
  });
}

describe('the kinds that definitions bring', () => {
  it('are one for each version that will be served', () => {
    const common = {
      kind: 'Widget',
      plural: 'widgets',
      scope: 'namespaced',
      definition: 'widgets.example.com',
    };
    expect(definedKinds([definition('Namespaced'), wanted('ConfigMap/a')])).to.deep.equal([
      { apiVersion: 'example.com/v1', ...common },
      { apiVersion: 'example.com/v2', ...common },
    ]);
  });

  it('have the scope that the definition says', () => {
    expect(definedKinds([definition('Cluster')]).map(({ scope }) => scope)).to.deep.equal([
      'cluster',
      'cluster',
    ]);
  });

  it('are none where a definition says too little', () => {
    expect(definedKinds([wanted('CustomResourceDefinition/x')])).to.deep.equal([]);
  });

  it('come from the API group of definitions alone', () => {
    expect(
      isDefinition({ apiVersion: 'apiextensions.k8s.io/v1beta1', kind: 'CustomResourceDefinition' }),
    ).to.equal(true);
    expect(isDefinition({ apiVersion: 'example.com/v1', kind: 'CustomResourceDefinition' })).to.equal(false);
  });
});
