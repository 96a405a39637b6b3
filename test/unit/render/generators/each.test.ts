import { expect } from 'chai';
import fc from 'fast-check';

import { configMap, faultsOf, type Files, generator, namesOf, render, statesOf } from '../fleet.ts';

const template = `apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ item.tenant }}"}
data: {size: "{{ params.size }}"}
`;

/** A generator that renders the template above for each item. `each` and `more` are YAML in flow style. */
function perItem(each: string, more = ''): Files {
  return {
    'generators/tenants.yaml': generator(
      'tenants',
      `clusterSelector: {}, namespace: shop, source: {path: apps/tenant}, render: {type: template}, parameters: {size: small}, each: {${each}}${more}`,
    ),
    'apps/tenant/a.yaml': template,
  };
}

const dataOf = async (files: Files, labels = {}): Promise<unknown> =>
  Object.fromEntries(
    (await render(files, labels)).objects.map(({ ref, manifest }) => [ref.name, manifest['data']]),
  );

describe('each', () => {
  it('renders once for each item of a list, whose keys are parameters', async () => {
    const files = perItem('list: [{tenant: blue}, {tenant: green, size: large}]');
    expect(await dataOf(files)).to.deep.equal({ blue: { size: 'small' }, green: { size: 'large' } });
  });

  it('lets the item win over overrides, and overrides over the generator', async () => {
    const files = perItem(
      'list: [{tenant: blue}, {tenant: green, size: large}]',
      ', overrides: [{clusterSelector: {}, parameters: {size: medium}}, {clusterSelector: {}, when: "params.size == \\"large\\"", parameters: {size: never}}]',
    );
    expect(await dataOf(files)).to.deep.equal({ blue: { size: 'medium' }, green: { size: 'large' } });
  });

  it('gives folders with their paths', async () => {
    const spec =
      'clusterSelector: {}, namespace: "{{ item.directory.segments[1] }}", source: {path: "{{ item.directory.path }}"}, each: {directories: {path: "tenants/*", exclude: ["tenants/_*"]}}';
    const state = await render({
      'generators/tenants.yaml': generator('tenants', spec),
      'tenants/blue/one.yaml': configMap('one'),
      'tenants/green/two.yaml': configMap('two'),
      'tenants/_base/base.txt': '',
    });
    expect(faultsOf(state)).to.deep.equal([]);
    expect(state.objects.map(({ ref, defaultNamespace }) => `${defaultNamespace}/${ref.name}`)).to.deep.equal(
      ['blue/one', 'green/two'],
    );
  });

  it('gives what files hold, with their paths', async () => {
    const files = perItem('files: {path: "tenants/*/*.{yaml,json}"}');
    const state = await render({
      ...files,
      'apps/tenant/a.yaml': configMap(
        'x-{{ item.tenant }}',
        'data: {d: {{ item.file.directory }}, p: {{ item.file.path }}, f: {{ item.file.name }}, s: {{ params.size }}}',
      ),
      'tenants/a/all.json': '[{"tenant": "blue"}, {"tenant": "green", "size": "large"}]',
      'tenants/b/two.yaml': 'tenant: red\n---\ntenant: gold\n',
    });
    expect(faultsOf(state)).to.deep.equal([]);
    const data = (directory: string, name: string, size: string): unknown => ({
      d: directory,
      p: `${directory}/${name}`,
      f: name,
      s: size,
    });
    expect(state.objects.map(({ ref, manifest }) => [ref.name, manifest['data']])).to.deep.equal([
      ['x-blue', data('tenants/a', 'all.json', 'small')],
      ['x-gold', data('tenants/b', 'two.yaml', 'small')],
      ['x-green', data('tenants/a', 'all.json', 'large')],
      ['x-red', data('tenants/b', 'two.yaml', 'small')],
    ]);
  });

  it('multiplies its kinds, the first of which varies slowest', async () => {
    const state = await render({
      'generators/tenants.yaml': generator(
        'tenants',
        'clusterSelector: {}, namespace: shop, source: {path: apps/a}, render: {type: template}, each: {list: [{nr: 1}, {nr: 2}], directories: {path: "zones/*"}, files: {path: "sizes.yaml"}}',
      ),
      'apps/a/a.yaml': configMap('x-{{ item.nr }}-{{ item.directory.name }}-{{ item.size }}'),
      'zones/b/x.txt': '',
      'zones/a/x.txt': '',
      'sizes.yaml': '- size: s\n- size: l\n',
    });
    expect(faultsOf(state)).to.deep.equal([]);
    expect(namesOf(state)).to.deep.equal(
      ['1-a-l', '1-a-s', '1-b-l', '1-b-s', '2-a-l', '2-a-s', '2-b-l', '2-b-s'].map(
        (name) => `ConfigMap/x-${name}`,
      ),
    );
  });

  it('refuses two kinds that give one key, and names both', async () => {
    const state = await render({
      ...perItem('list: [{tenant: blue}], files: {path: "tenants/*.yaml"}'),
      'tenants/green.yaml': 'tenant: green\n',
    });
    expect(faultsOf(state)).to.deep.equal([
      'generators/tenants.yaml:4:128: RenderFailed: each: item 1 of the list and tenants/green.yaml both give the key "tenant"',
    ]);
    expect(statesOf(state)).to.deep.equal({ tenants: 'failed' });
  });

  it('tells what is wrong in a file of items, and renders the others', async () => {
    const state = await render({
      ...perItem('files: {path: "tenants/*.yaml"}'),
      'tenants/blue.yaml': 'tenant: blue\n',
      'tenants/broken.yaml': 'tenant: blue\ntenant: red\n',
      'tenants/file.yaml': 'tenant: x\nfile: mine\n',
      'tenants/green.yaml': '- tenant: green\n- 3\n',
    });
    expect(namesOf(state)).to.deep.equal(['ConfigMap/blue', 'ConfigMap/green']);
    expect(faultsOf(state)).to.deep.equal([
      'generators/tenants.yaml:4:135: RenderFailed: each.files: tenants/file.yaml has a key "file", which is what item.file is for',
      'tenants/broken.yaml:2:1: ConfigInvalid: duplicate key "tenant"',
      'tenants/green.yaml:2:3: ConfigInvalid: an item must be a map, not 3',
    ]);
  });

  it('says which item a fault is about', async () => {
    const state = await render(
      perItem('list: [{tenant: blue}, {other: green}]', ', when: "item.tenant != \\"\\""'),
    );
    expect(faultsOf(state)).to.deep.equal([
      'generators/tenants.yaml:4:182: RenderFailed: when: there is no tenant, at character 5; ask with has(…) or "…" in … first (for item 2 of the list)',
    ]);
    expect(namesOf(state)).to.deep.equal(['ConfigMap/blue']);
  });

  it('bounds the number of items', async () => {
    const list = `[${Array.from({ length: 101 }, (_, index) => `{a: ${index}}`).join()}]`;
    const state = await render({
      ...perItem(`list: ${list}, files: {path: items.yaml}`),
      'items.yaml': list.replaceAll('a:', 'b:'),
    });
    expect(faultsOf(state)).to.deep.equal([
      'generators/tenants.yaml:4:128: RenderFailed: each: it gives 10201 items, and may give at most 10000',
    ]);
  });

  it('without an item is as a selector that does not match, and says which glob matches nothing', async () => {
    const state = await render(perItem('directories: {path: "tenants/*"}'));
    expect([statesOf(state), faultsOf(state), state.warnings]).to.deep.equal([
      { tenants: 'unmatched' },
      [],
      ['generators/tenants.yaml:4:155: each.directories: no folder matches "tenants/*"'],
    ]);
  });

  it('tells items that give one object twice', async () => {
    const files = perItem('list: [{tenant: blue}, {tenant: blue}]');
    expect(faultsOf(await render(files))).to.deep.equal([
      'apps/tenant/a.yaml:1: ManifestInvalid: ConfigMap/blue comes from here more than once, as for two items of tenants that do not tell it apart by name or namespace; none is applied',
    ]);
  });

  it('refuses a namespace that is none once it is rendered', async () => {
    const files = perItem('list: [{tenant: blue}, {tenant: Green}]');
    const spec = files['generators/tenants.yaml'] as string;
    const state = await render({
      ...files,
      'generators/tenants.yaml': spec.replace('namespace: shop', 'namespace: "{{ item.tenant }}"'),
    });
    expect(faultsOf(state)).to.deep.equal([
      `generators/tenants.yaml:4:40: RenderFailed: namespace: "Green" must be lower-case letters, digits, '-' and '.', and begin and end with a letter or digit (for item 2 of the list)`,
    ]);
    expect(state.objects.map(({ defaultNamespace }) => defaultNamespace)).to.deep.equal(['blue']);
  });

  it('wants a patch to be for something in one of its items, not in all', async () => {
    const patches = (name: string): string =>
      `, overrides: [{clusterSelector: {}, patches: [{target: {name: ${name}}, merge: {data: {x: y}}}]}]`;
    const items = 'list: [{tenant: blue}, {tenant: green}]';
    expect(faultsOf(await render(perItem(items, patches('blue'))))).to.deep.equal([]);
    expect(faultsOf(await render(perItem(items, patches('"r*"'))))).to.deep.equal([
      'generators/tenants.yaml:4:222: RenderFailed: no object of this source is name r*; set optional: true where that is meant',
    ]);
  });

  it('gives the same whatever the order of the files', async () => {
    const files = Object.entries({
      ...perItem('files: {path: "tenants/*.yaml"}'),
      ...Object.fromEntries(
        ['a', 'b', 'c', 'd'].map((name) => [`tenants/${name}.yaml`, `tenant: t-${name}\n`]),
      ),
    });
    const expected = await render(Object.fromEntries(files));
    expect(expected.objects).to.have.length(4);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(files, { minLength: files.length }), async (shuffled) => {
        expect((await render(Object.fromEntries(shuffled))).objects).to.deep.equal(expected.objects);
      }),
      { numRuns: 20 },
    );
  });
});

describe('when', () => {
  const conditional = (when: string, more = ''): Files => ({
    'generators/web.yaml': generator(
      'web',
      `clusterSelector: {}, namespace: shop, source: {path: apps/web}, parameters: {replicas: 2}, when: '${when}'${more}`,
    ),
    'apps/web/a.yaml': configMap('a'),
  });

  it('decides by labels and parameters whether a generator is for a cluster', async () => {
    const files = conditional('cluster.labels.tier == "gold" && params.replicas > 1');
    expect(statesOf(await render(files, { tier: 'gold' }))).to.deep.equal({ web: 'rendered' });
    const silver = await render(files, { tier: 'silver' });
    expect([statesOf(silver), namesOf(silver), faultsOf(silver)]).to.deep.equal([
      { web: 'unmatched' },
      [],
      [],
    ]);
  });

  it('sees the parameters of overrides', async () => {
    const files = conditional(
      'params.replicas > 1',
      ', overrides: [{clusterSelector: {matchLabels: {size: small}}, parameters: {replicas: 1}}]',
    );
    expect(statesOf(await render(files, {}))).to.deep.equal({ web: 'rendered' });
    expect(statesOf(await render(files, { size: 'small' }))).to.deep.equal({ web: 'unmatched' });
  });

  it('is a fault where it fails, so that nothing is taken for gone', async () => {
    const state = await render(conditional('cluster.labels.tier == "gold"'));
    expect([statesOf(state), faultsOf(state)]).to.deep.equal([
      { web: 'failed' },
      [
        'generators/web.yaml:4:105: RenderFailed: when: there is no tier, at character 15; ask with has(…) or "…" in … first',
      ],
    ]);
  });

  it('is checked when the generator is read', async () => {
    expect(faultsOf(await render(conditional('cluster.labels.tier =')))).to.deep.equal([
      'generators/web.yaml:4:99: ConfigInvalid: spec.when: is no CEL expression: found = but expecting end of input, at character 21',
    ]);
  });

  it('leaves out single items', async () => {
    const files = perItem('list: [{tenant: blue}, {tenant: green}]', `, when: 'item.tenant != "blue"'`);
    expect(namesOf(await render(files))).to.deep.equal(['ConfigMap/green']);
  });
});
