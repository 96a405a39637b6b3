import { expect } from 'chai';

import type { Labels } from '../../../../src/model/selector.ts';
import { createRenderCache } from '../../../../src/render/render-cache.ts';
import { loadFleetRepository } from '../../../../src/render/repository/load-fleet-repository.ts';
import { loadKubernetesSchemas } from '../../../../src/render/validate/schema/load-kubernetes-schemas.ts';
import {
  validateRepository,
  type ValidateOptions,
} from '../../../../src/render/validate/validate-repository.ts';
import { renderFinding } from '../../../../src/report/fault-lines.ts';
import { clusterFile, configMap, type Files, generator } from '../fleet.ts';
import { memorySnapshot } from '../memory-snapshot.ts';

type Known = Partial<Pick<ValidateOptions, 'known' | 'areAll'>>;

/** What is found, a line each. */
async function validate(
  files: Files,
  clusters: Readonly<Record<string, Labels>> = { east: {} },
  known: Known = {},
): Promise<string[]> {
  const cache = createRenderCache();
  const signal = AbortSignal.timeout(20_000);
  const repository = await loadFleetRepository(memorySnapshot(files), cache);
  const registered = Object.entries(clusters).map(([name, labels]) => ({ name, labels, annotations: {} }));
  const kubernetes = await loadKubernetesSchemas(signal);
  const options = {
    fleetName: 'acme',
    cache,
    signal,
    kubernetes,
    known: 'registered',
    areAll: true,
  } as const;
  const found = await validateRepository(repository, registered, { ...options, ...known });
  return found.map((finding) => renderFinding(finding, { color: false }).trimEnd());
}

const matching = (labels: string, more = ''): string =>
  `clusterSelector: {matchLabels: {${labels}}}, namespace: shop${more}`;
const everywhere = (path: string, more = ''): string =>
  `clusterSelector: {}, namespace: shop, source: {path: "${path}"}${more}`;

describe('validateRepository', () => {
  it('finds the faults of clusters, of folders of no cluster, and of sources that none matches, each once', async () => {
    const found = await validate(
      {
        'generators/all.yaml': generator('all', everywhere('apps/all')),
        'generators/none.yaml': generator('none', `${matching('a: b')}, source: {path: apps/none}`),
        'generators/typo.yaml': generator('typo', 'clusterSelector: {}, source: {path: a}, overides: []'),
        'apps/all/a.yaml': configMap('a', 'metadata: 3'),
        'apps/none/a.yaml': 'kind: 3\n',
        'clusters/south/a.yaml': configMap('a', 'b: 1: 2'),
      },
      { west: {}, north: {} },
    );
    expect(found.map((line) => line.replace(/(: \w+): .*/, '$1'))).to.deep.equal([
      'apps/all/a.yaml:4:1: ManifestInvalid',
      'apps/none/a.yaml:1:1: ManifestInvalid',
      'apps/none/a.yaml:1:1: ManifestInvalid',
      'apps/none/a.yaml:1:7: ManifestInvalid',
      'clusters/south: warning',
      'clusters/south/a.yaml:4:5: ManifestInvalid',
      'generators/none.yaml:4:8: warning',
      'generators/typo.yaml:4:48: ConfigInvalid',
    ]);
  });

  it('names the clusters that something concerns, unless that is all', async () => {
    const files = {
      'generators/a.yaml': generator('a', everywhere('apps/a')),
      'generators/b.yaml': generator('b', `${matching('tier: gold')}, source: {path: apps/b}`),
      'apps/a/a.yaml': configMap('same'),
      'apps/b/a.yaml': configMap('same'),
    };
    const clash =
      'apps/b/a.yaml:1: ManifestInvalid: ConfigMap/same is also defined at apps/a/a.yaml:1 (a); neither is applied';
    const gold = { tier: 'gold' };
    expect(await validate(files, { one: gold, two: {}, three: gold })).to.deep.equal([
      `${clash} (in one, three)`,
    ]);
    expect(await validate(files, { one: gold, two: gold })).to.deep.equal([clash]);
  });

  describe('fields', () => {
    const service = (ports: string): string =>
      `apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  ports:\n${ports}`;

    it('that their kind does not have are found where they stand', async () => {
      const found = await validate({
        'generators/web.yaml': generator('web', everywhere('apps/web')),
        'apps/web/all.yaml': `${configMap('a')}---\n${service('    - prt: 80\n      port: eighty\n')}`,
      });
      expect(found).to.deep.equal([
        'apps/web/all.yaml:11:7: ObjectInvalid: Service/web: unknown field "spec.ports[0].prt" (did you mean "port"?)',
        'apps/web/all.yaml:12:13: ObjectInvalid: Service/web: spec.ports[0].port: Invalid value: "eighty": must be of type integer, not string',
      ]);
    });

    it('that a template makes are found in the template', async () => {
      const lines = [
        '{% if true %}',
        ...service('    - port: {{ params.port }}\n      nam: {{ cluster.name }}').split('\n'),
      ];
      const found = await validate({
        'generators/web.yaml': generator(
          'web',
          everywhere('apps/web', ', render: {type: template}, parameters: {port: 80}'),
        ),
        'apps/web/web.yaml': [...lines, '{% endif %}', ''].join('\n'),
      });
      expect(found).to.deep.equal([
        'apps/web/web.yaml:8:7: ObjectInvalid: Service/web: unknown field "spec.ports[0].nam" (did you mean "name"?)',
      ]);
    });

    it('in an item of a list are found there', async () => {
      const found = await validate({
        'generators/web.yaml': generator('web', everywhere('apps/web')),
        'apps/web/all.yaml': `apiVersion: v1\nkind: List\nitems:\n- ${configMap('a').trimEnd().replaceAll('\n', '\n  ')}\n  dat: {}\n`,
      });
      expect(found).to.deep.equal([
        'apps/web/all.yaml:8:3: ObjectInvalid: ConfigMap/a: unknown field "dat" (did you mean "data"?)',
      ]);
    });

    it('that a patch sets are found in the patch, for the clusters that it is for', async () => {
      const found = await validate(
        {
          'generators/web.yaml': `${generator('web', everywhere('apps/web')).trimEnd().slice(0, -1)},
  overrides: [{
    clusterSelector: {matchLabels: {region: cn}},
    patches: [{
      target: {kind: Service},
      merge: {spec: {
        typ: ClusterIP}}}]}]}\n`,
          'apps/web/all.yaml': service('    - port: 80\n'),
        },
        { one: { region: 'cn' }, two: {} },
      );
      expect(found).to.deep.equal([
        'generators/web.yaml:10:14: ObjectInvalid: Service/web: unknown field "spec.typ" (did you mean "type"?) (in one)',
      ]);
    });

    it('of custom kinds are held against their definitions, wherever in the repository these are', async () => {
      const found = await validate(
        {
          'generators/crd.yaml': generator('crd', `${matching('crd: here')}, source: {path: apps/crd}`),
          'generators/store.yaml': generator('store', everywhere('apps/store')),
          'apps/crd/crd.yaml': [
            'apiVersion: apiextensions.k8s.io/v1',
            'kind: CustomResourceDefinition',
            'metadata: {name: stores.example.com}',
            'spec: {group: example.com, scope: Namespaced, names: {plural: stores, kind: Store}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}}]}',
          ].join('\n'),
          'apps/store/store.yaml':
            'apiVersion: example.com/v1\nkind: Store\nmetadata: {name: main}\nspec: {size: big}\n',
        },
        { one: { crd: 'here' }, two: {} },
      );
      expect(found).to.deep.equal([
        'apps/store/store.yaml:4:14: ObjectInvalid: Store/main: spec.size: Invalid value: "big": must be of type integer, not string',
      ]);
    });

    it('of kinds that are not known are left alone, unless Kubernetes would have to know them', async () => {
      const metadata = 'metadata: {name: a}';
      const found = await validate({
        'generators/a.yaml': generator('a', everywhere('apps/a')),
        'apps/a/a.yaml': `apiVersion: example.com/v1\nkind: Anything\n${metadata}\n---\napiVersion: extensions/v1beta1\nkind: Ingress\n${metadata}\n`,
      });
      expect(found).to.deep.equal([
        'apps/a/a.yaml:5: warning: KindNotServed: Ingress/a: Kubernetes 1.36 serves no Ingress of extensions/v1beta1',
      ]);
    });

    it('of a Secret are told without their values', async () => {
      const found = await validate({
        'generators/a.yaml': generator('a', everywhere('apps/a')),
        'apps/a/a.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {key: "hunter 2"}\n',
      });
      expect(found.join()).to.contain('data.key').and.not.to.contain('hunter');
    });
  });

  describe('selectors', () => {
    const files = {
      'generators/a.yaml': generator('a', `${matching('env: prod')}, source: {path: apps/a}`),
      'generators/b.yaml': generator(
        'b',
        everywhere(
          'apps/a',
          ', namespace: other, overrides: [{clusterSelector: {matchLabels: {env: test}}}]',
        ).replace('namespace: shop, ', ''),
      ),
      'apps/a/a.yaml': configMap('a'),
    };

    it('that match no cluster are warned of, and overrides that match none of the generator’s', async () => {
      expect(await validate(files, { one: {} })).to.deep.equal([
        'generators/a.yaml:4:8: warning: SelectorUnmatched: clusterSelector matches no cluster',
        'generators/b.yaml:4:86: warning: SelectorUnmatched: overrides[0] is for none of the clusters of b',
      ]);
      expect(await validate(files, { one: { env: 'prod' }, two: { env: 'test' } })).to.deep.equal([]);
    });

    it('say nothing where not all clusters are known', async () => {
      expect(await validate(files, { one: {} }, { known: 'folders' })).to.deep.equal([]);
      expect(await validate(files, { one: {} }, { areAll: false })).to.deep.equal([]);
    });

    it('may wait for clusters to come', async () => {
      const waiting = generator('a', `${matching('env: prod')}, source: {path: apps/a}`).replace(
        'metadata: {name: a}',
        'metadata: {name: a, annotations: {fleetwright.dev/unmatched: allowed}}',
      );
      expect(await validate({ 'generators/a.yaml': waiting, 'apps/a/a.yaml': configMap('a') })).to.deep.equal(
        [],
      );
    });

    it('are no use where a condition never holds', async () => {
      const never = generator('a', everywhere('apps/a', ', when: \'cluster.name == "west"\''));
      expect(await validate({ 'generators/a.yaml': never, 'apps/a/a.yaml': configMap('a') })).to.deep.equal([
        'generators/a.yaml:4:78: warning: SelectorUnmatched: when holds for no cluster and no item',
      ]);
    });
  });

  describe('sources', () => {
    it('that no generator reads are warned of, the outermost folder alone', async () => {
      const found = await validate({
        'generators/a.yaml': generator('a', everywhere('apps/a')),
        'apps/a/a.yaml': configMap('a'),
        'apps/old/deep/a.yaml': configMap('b'),
        'apps/old/b.yaml': configMap('c'),
        'apps/stray.yaml': configMap('d'),
        'charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
        'docs/mkdocs.yaml': 'site_name: x\n',
        '.github/workflows/a.yaml': configMap('e'),
        'fleetwright.yaml': 'apiVersion: fleetwright.dev/v1alpha1\nkind: Fleet\nmetadata: {name: a}\n',
      });
      expect(found).to.deep.equal(
        ['apps/old', 'apps/stray.yaml', 'charts/web'].map(
          (path) => `${path.replace('/web', '')}: warning: SourceUnused: no generator reads it`,
        ),
      );
    });

    it('are used where the path depends on the cluster, the item or a kustomization', async () => {
      const files = {
        'generators/per.yaml': generator('per', everywhere('per/{{ cluster.name }}')),
        'generators/each.yaml': generator(
          'each',
          everywhere(
            '{{ item.directory.path }}/app',
            ', each: {directories: {path: "tenants/*", exclude: [tenants/_x]}}',
          ),
        ),
        'generators/k.yaml': generator('k', everywhere('k/overlay')),
        'per/east/a.yaml': configMap('a'),
        'per/west/a.yaml': configMap('b'),
        'tenants/blue/app/a.yaml': configMap('c'),
        'tenants/_x/app/a.yaml': configMap('d'),
        'k/overlay/kustomization.yaml': 'resources: [../base]\n',
        'k/base/kustomization.yaml': 'resources: [a.yaml]\n',
        'k/base/a.yaml': configMap('e'),
        'k/other/kustomization.yaml': 'resources: []\n',
      };
      const unused = (lines: readonly string[]) => lines.filter((line) => line.includes('SourceUnused'));
      expect(unused(await validate(files))).to.deep.equal([
        'k/other: warning: SourceUnused: no generator reads it',
        'per/west: warning: SourceUnused: no generator reads it',
      ]);
      // Made-up clusters have no names that folders could have.
      expect(unused(await validate(files, { 'labels:a=b': {} }, { known: 'labels' }))).to.deep.equal([
        'k/other: warning: SourceUnused: no generator reads it',
      ]);
    });
  });

  it('warns of parameters that nothing reads', async () => {
    const found = await validate({
      'generators/a.yaml': generator(
        'a',
        everywhere(
          'apps/{{ params.app }}',
          ', render: {type: template}, when: "params[\'up\'] || params.down", parameters: {app: a, up: true, down: true, depth: 1, color: red}, overrides: [{clusterSelector: {}, parameters: {dpeth: 2}}]',
        ),
      ),
      'apps/a/a.yaml': configMap('a', 'data: {depth: "{{ params.depth }}"}'),
    });
    expect(found.map((line) => line.replace(/^.*warning: /, ''))).to.deep.equal([
      'ParameterUnused: nothing reads the parameter "color"',
      'ParameterUnused: nothing reads the parameter "dpeth"',
    ]);
  });

  it('takes all parameters for read where they are handed on as a whole', async () => {
    const found = await validate({
      'generators/a.yaml': generator(
        'a',
        everywhere('apps/a', ', render: {type: template}, parameters: {a: b}'),
      ),
      'apps/a/a.yaml': configMap('a', "data:\n  all: '{{ params | to_json }}'"),
    });
    expect(found).to.deep.equal([]);
  });

  it('takes a cluster that was never reached for one of the version that is known', async () => {
    const found = await validate({
      'generators/a.yaml': generator('a', everywhere('apps/a', ', render: {type: template}')),
      'apps/a/a.yaml': configMap('a', 'data: {version: "{{ cluster.version }}"}'),
    });
    expect(found).to.deep.equal([]);
  });

  it('forgives a made-up cluster that nothing is called after it', async () => {
    const files = {
      'generators/a.yaml': generator('a', everywhere('apps/{{ cluster.name }}')),
      'generators/b.yaml': generator('b', everywhere('nowhere')),
      'apps/east/a.yaml': configMap('a'),
      'clusters/east/cluster.yaml': clusterFile('east', '{}'),
    };
    expect(await validate(files, { 'labels:': {} }, { known: 'labels' })).to.deep.equal([
      'generators/b.yaml:4:61: RenderFailed: source.path: there is no "nowhere" in the repository',
    ]);
  });

  it('gives the same in any order of clusters and files', async () => {
    const files: Files = {
      'generators/a.yaml': generator('a', everywhere('apps/a')),
      'generators/b.yaml': generator('b', everywhere('apps/b', ', parameters: {x: 1}')),
      'apps/a/a.yaml': configMap('a', 'dat: {}'),
      'apps/b/a.yaml': configMap('a', 'dta: {}'),
    };
    const reversed = Object.fromEntries(Object.entries(files).reverse());
    expect(await validate(reversed, { b: {}, a: {} })).to.deep.equal(await validate(files, { a: {}, b: {} }));
  });
});
