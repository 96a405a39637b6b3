import { expect } from 'chai';

import { faultsOf, generator, render, statesOf } from '../fleet.ts';

const dependent = (name: string, on: string): string =>
  generator(name, `clusterSelector: {}, source: {path: apps, optional: true}, dependsOn: [${on}]`);

describe('generators of a repository', () => {
  it('may not share a name', async () => {
    const state = await render({
      'generators/a.yaml': generator('same'),
      'generators/b.yaml': generator('same'),
    });
    expect(statesOf(state)).to.deep.equal({ same: 'failed' });
    expect(faultsOf(state)).to.deep.equal([
      'generators/b.yaml:3:12: ConfigInvalid: metadata.name: a second generator named "same"; the first is at generators/a.yaml:1',
    ]);
  });

  it('may only depend on generators that there are', async () => {
    const state = await render({
      'generators/a.yaml': dependent('a', 'b, c'),
      'generators/b.yaml': dependent('b', ''),
    });
    expect(faultsOf(state)).to.deep.equal([
      'generators/a.yaml:4:82: ConfigInvalid: spec.dependsOn[1]: no generator is named "c"',
    ]);
    expect(statesOf(state)).to.deep.equal({ a: 'failed', b: 'rendered' });
  });

  it('may not depend on themselves, however far around', async () => {
    const state = await render({
      'generators/a.yaml': dependent('a', 'b'),
      'generators/b.yaml': dependent('b', 'c'),
      'generators/c.yaml': dependent('c', 'a'),
      'generators/d.yaml': dependent('d', 'a'),
      'generators/e.yaml': dependent('e', 'e'),
    });
    expect(faultsOf(state)).to.deep.equal([
      'generators/a.yaml:4:79: ConfigInvalid: spec.dependsOn[0]: a circle of dependencies: a → b → c → a',
      'generators/b.yaml:4:79: ConfigInvalid: spec.dependsOn[0]: a circle of dependencies: b → c → a → b',
      'generators/c.yaml:4:79: ConfigInvalid: spec.dependsOn[0]: a circle of dependencies: c → a → b → c',
      'generators/e.yaml:4:79: ConfigInvalid: spec.dependsOn[0]: a circle of dependencies: e → e',
    ]);
    expect(statesOf(state)).to.deep.equal({
      a: 'failed',
      b: 'failed',
      c: 'failed',
      d: 'rendered',
      e: 'failed',
    });
  });

  it('are all that belongs into their folder', async () => {
    const state = await render({
      'generators/a.yaml':
        'apiVersion: fleetwright.dev/v1alpha1\nkind: Genrator\nmetadata: {name: a}\nspec: {clusterSelector: {}, source: {path: a}}\n',
    });
    expect(faultsOf(state)).to.deep.equal([
      'generators/a.yaml:2:1: ConfigInvalid: kind: must be Generator: only generators belong in generators/',
    ]);
  });
});
