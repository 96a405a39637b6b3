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

describe('parseGenerator, of all that a generator can say', () => {
  it('takes it as it is meant', () => {
    const parsed = parse(`clusterSelector: {}
when: cluster.name != ""
source: {path: "tenants/{{ item.tenant }}", optional: true}
render:
  type: helm
  helm:
    releaseName: "{{ item.tenant }}"
    valuesFiles: [a.yaml, {path: /b.yaml, optional: true}]
    values: {replicas: "{{ params.replicas }}"}
    hooks: apply
    kubeVersion: "1.34"
    apiVersions: [batch/v1/CronJob]
namespace: "{{ item.tenant }}"
each:
  list: [{tenant: blue}]
  directories: {path: "tenants/*", exclude: ["tenants/_*"]}
  files: {path: [a/*.yaml, b/*.json]}
overrides:
  - clusterSelector: {}
    when: params.replicas > 1
    patches:
      - target: {kind: Deployment, name: "front*", labels: {app: web}}
        json:
          - {op: add, path: /a/-, value: null}
          - {op: move, from: /a, path: /b}
          - {op: remove, path: /c~1d}
      - target: {labelSelector: {matchExpressions: [{key: app, operator: Exists}]}}
        merge: {x: null}
        optional: true`);
    expect(parsed.ok && parsed.value).to.deep.equal({
      name: 'frontend',
      clusterSelector: { matchLabels: {}, matchExpressions: [] },
      when: 'cluster.name != ""',
      sourcePath: 'tenants/{{ item.tenant }}',
      optional: true,
      render: {
        type: 'helm',
        helm: {
          releaseName: '{{ item.tenant }}',
          valuesFiles: [
            { path: 'a.yaml', optional: false },
            { path: '/b.yaml', optional: true },
          ],
          values: { replicas: '{{ params.replicas }}' },
          includeCRDs: true,
          hooks: 'apply',
          kubeVersion: '1.34',
          apiVersions: ['batch/v1/CronJob'],
        },
      },
      namespace: '{{ item.tenant }}',
      parameters: {},
      each: {
        list: [{ tenant: 'blue' }],
        directories: { include: ['tenants/*'], exclude: ['tenants/_*'] },
        files: { include: ['a/*.yaml', 'b/*.json'], exclude: [] },
      },
      overrides: [
        {
          clusterSelector: { matchLabels: {}, matchExpressions: [] },
          when: 'params.replicas > 1',
          parameters: {},
          patches: [
            {
              target: {
                kind: 'Deployment',
                name: 'front*',
                labels: { matchLabels: { app: 'web' }, matchExpressions: [] },
              },
              change: {
                kind: 'json',
                operations: [
                  { op: 'add', path: '/a/-', value: null },
                  { op: 'move', from: '/a', path: '/b' },
                  { op: 'remove', path: '/c~1d' },
                ],
              },
              optional: false,
            },
            {
              target: {
                labels: { matchLabels: {}, matchExpressions: [{ key: 'app', operator: 'Exists' }] },
              },
              change: { kind: 'merge', merge: { x: null } },
              optional: true,
            },
          ],
        },
      ],
      dependsOn: [],
      sync: {},
    });
  });

  const refused: readonly (readonly [string, string])[] = [
    ['when: "1 +"', 'spec.when: is no CEL expression: found + but expecting end of input, at character 3'],
    ['when: ""', 'spec.when: must not be empty'],
    ['sync: {deletion: keep}', 'spec.sync.deletion: "keep" is none of delete, orphan'],
    ['each: {}', 'spec.each: needs at least one of list, directories, files'],
    ['each: {list: [], lists: []}', 'spec.each: unknown key "lists" (did you mean "list"?)'],
    ['each: {list: [3]}', 'spec.each.list[0]: must be a map'],
    ['each: {directories: {path: "/a"}}', 'spec.each.directories.path: must be relative to the fleet’s root'],
    ['each: {files: {path: [a, ../b]}}', 'spec.each.files.path[1]: must not have "." or ".." in it'],
    ['each: {files: {path: []}}', 'spec.each.files.path: must name at least one glob'],
    ['render: {type: plain, helm: {}}', "spec.render.helm: is for type helm; this generator's type is plain"],
    ['render: {helm: {hooks: keep}}', 'spec.render.helm.hooks: "keep" is none of skip, apply'],
    ['render: {helm: {kubeVersion: 1.34}}', 'spec.render.helm.kubeVersion: must be text, not 1.34; quote it'],
    [
      'render: {helm: {kubeVersion: new}}',
      'spec.render.helm.kubeVersion: must be a version such as 1.34 or 1.34.2',
    ],
    [
      'render: {helm: {valuesFiles: [../x]}}',
      'spec.render.helm.valuesFiles[0]: must not have ".." in it; begin with "/" for the fleet’s root',
    ],
    [
      'namespace: Shop',
      `spec.namespace: "Shop" must be lower-case letters, digits, '-' and '.', and begin and end with a letter or digit`,
    ],
  ];
  for (const [line, message] of refused) {
    it(`refuses ${line}`, () => {
      const faults = faultsOf(`clusterSelector: {}\nsource: {path: a}\n${line}`);
      expect(faults.map((fault) => fault.replace(/^g\.yaml:\d+:\d+: ConfigInvalid: /, ''))).to.deep.equal([
        message,
      ]);
    });
  }

  const patches: readonly (readonly [string, string])[] = [
    ['json: []', '.json: must hold at least one operation'],
    ['json: [{op: ad, path: /a}]', '.json[0].op: must be one of add, remove, replace, move, copy, test'],
    ['json: [{op: add, path: /a}]', '.json[0].value: is required'],
    [
      'json: [{op: add, path: spec.replicas, value: 1}]',
      '.json[0].path: must begin with "/", as in "/spec/replicas"',
    ],
    ['json: [{op: remove, path: ""}]', '.json[0].path: must not be the whole object; name a field of it'],
    [
      'json: [{op: remove, path: /a~2}]',
      '.json[0].path: has a "~" that is neither "~0" (for "~") nor "~1" (for "/")',
    ],
    ['json: [{op: remove, path: /a, value: 1}]', '.json[0]: unknown key "value"; known are op, path'],
    ['json: [{op: move, from: /a, path: /a/b}]', '.json[0].path: nothing can be moved into itself'],
    ['json: [{op: copy, path: /a}]', '.json[0].from: is required'],
    ['{merge: {}, json: [{op: remove, path: /a}]}', ': a patch needs either merge or json'],
  ];
  for (const [text, message] of patches) {
    it(`refuses a patch of ${text}`, () => {
      const patch = text.startsWith('{') ? text.slice(1, -1) : text;
      const faults = faultsOf(`clusterSelector: {}
source: {path: a}
overrides: [{clusterSelector: {}, patches: [{target: {kind: A}, ${patch}}]}]`);
      expect(faults.map((fault) => fault.replace(/^.*spec\.overrides\[0\]\.patches\[0\]/, ''))).to.deep.equal(
        [message],
      );
    });
  }

  it('refuses targets that are none', () => {
    const target = (text: string): string[] =>
      faultsOf(`clusterSelector: {}
source: {path: a}
overrides: [{clusterSelector: {}, patches: [{target: ${text}, merge: {}}]}]`).map((fault) =>
        fault.replace(/^.*target/, ''),
      );
    expect(target('{labels: {a: b}, labelSelector: {}}')).to.deep.equal([
      ': takes labels or labelSelector, not both',
    ]);
    expect(target('{name: "a{b"}')).to.deep.equal([
      '.name: has a brace without its other one in the same name',
    ]);
    expect(target('{labels: {a: 1}}')).to.deep.equal(['.labels.a: must be text, not 1; quote it']);
  });
});
