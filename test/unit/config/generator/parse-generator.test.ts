import { expect } from 'chai';

import { parseGenerator } from '../../../../src/config/generator/parse-generator.ts';
import { parseManifests } from '../../../../src/config/yaml/parse-manifests.ts';

function parse(spec: string, name = 'frontend') {
  const text = `apiVersion: fleetwright.dev/v1alpha1\nkind: Generator\nmetadata: {name: ${name}}\nspec:\n${spec.replace(/^/gm, '  ')}\n`;
  return parseGenerator(parseManifests(text, { file: 'g.yaml' }).documents[0]!, { file: 'g.yaml' });
}

function faultsOf(spec: string, name?: string): string[] {
  const parsed = parse(spec, name);
  return parsed.ok ? [] : parsed.faults.map((fault) => fault.describe());
}

describe('parseGenerator', () => {
  it('fills in every default', () => {
    expect(parse('clusterSelector: {}\nsource: {path: apps/web}')).to.deep.equal({
      ok: true,
      warnings: [],
      value: {
        name: 'frontend',
        clusterSelector: { matchLabels: {}, matchExpressions: [] },
        sourcePath: 'apps/web',
        optional: false,
        render: { type: 'auto' },
        parameters: {},
        overrides: [],
        dependsOn: [],
        sync: {},
      },
    });
  });

  it('requires a selector, since none is not the same as an empty one', () => {
    expect(faultsOf('source: {path: a}')).to.deep.equal([
      'g.yaml:4:1: ConfigInvalid: spec.clusterSelector: is required',
    ]);
    expect(faultsOf('clusterSelector:\nsource: {path: a}')).to.deep.equal([
      'g.yaml:5:3: ConfigInvalid: spec.clusterSelector: must be a map, not null',
    ]);
  });

  const selectors: readonly (readonly [string, string])[] = [
    ['{matchLabels: {env: 1}}', 'spec.clusterSelector.matchLabels.env: must be text, not 1; quote it'],
    [
      '{matchLabels: {a b: x}}',
      `spec.clusterSelector.matchLabels["a b"]: key "a b" must have 1 to 63 letters, digits, '-', '_' or '.', and begin and end with a letter or digit`,
    ],
    [
      '{matchLabels: {a: -x}}',
      `spec.clusterSelector.matchLabels.a: value "-x" must have at most 63 letters, digits, '-', '_' or '.', and begin and end with a letter or digit`,
    ],
    [
      '{matchExpressions: [{key: a, operator: in, values: [b]}]}',
      'spec.clusterSelector.matchExpressions[0].operator: "in" is none of In, NotIn, Exists, DoesNotExist (did you mean "In"?)',
    ],
    [
      '{matchExpressions: [{key: a, operator: In}]}',
      'spec.clusterSelector.matchExpressions[0].values: In needs at least one value',
    ],
    [
      '{matchExpressions: [{key: a, operator: NotIn, values: []}]}',
      'spec.clusterSelector.matchExpressions[0].values: NotIn needs at least one value',
    ],
    [
      '{matchExpressions: [{key: a, operator: Exists, values: [b]}]}',
      'spec.clusterSelector.matchExpressions[0].values: Exists takes no values',
    ],
    ['{matchExpressions: [{operator: Exists}]}', 'spec.clusterSelector.matchExpressions[0].key: is required'],
    ['{matchLabel: {}}', 'spec.clusterSelector: unknown key "matchLabel" (did you mean "matchLabels"?)'],
    ['[]', 'spec.clusterSelector: must be a map, not []'],
  ];
  for (const [selector, message] of selectors) {
    it(`refuses the selector ${selector}`, () => {
      const faults = faultsOf(`clusterSelector: ${selector}\nsource: {path: a}`);
      expect(faults.map((fault) => fault.replace(/^g\.yaml:5:\d+: ConfigInvalid: /, ''))).to.deep.equal([
        message,
      ]);
    });
  }

  it('refuses paths that leave the fleet, patches for nothing, and names that are none', () => {
    const spec = `clusterSelector: {}
source: {path: ../x}
overrides: [{clusterSelector: {}, patches: [{target: {}, merge: 3}, {target: {kind: A}}]}]`;
    expect(faultsOf(spec, 'a/b')).to.deep.equal([
      `g.yaml:3:12: ConfigInvalid: metadata.name: "a/b" must be lower-case letters, digits, '-' and '.', and begin and end with a letter or digit`,
      'g.yaml:6:12: ConfigInvalid: spec.source.path: must not leave the fleet’s root',
      'g.yaml:7:48: ConfigInvalid: spec.overrides[0].patches[0].target: must name at least one of apiVersion, group, kind, namespace, name, labels, labelSelector',
      'g.yaml:7:60: ConfigInvalid: spec.overrides[0].patches[0].merge: must be a map',
      'g.yaml:7:71: ConfigInvalid: spec.overrides[0].patches[1]: a patch needs either merge or json',
    ]);
  });
});
