import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

import { createRenderCache } from '../../src/render/render-cache.ts';
import { type Content, memorySnapshot } from '../unit/render/memory-snapshot.ts';
import { faultsOf, openRenderWorld, type Rendering, type RenderWorld } from './render-world.ts';

type Files = Readonly<Record<string, Content>>;

const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
const chart = 'apiVersion: v2\nname: shop\nversion: 1.0.0\n';

describe('what is wrong with a source', () => {
  let world: RenderWorld;
  before(async () => {
    world = await openRenderWorld();
  });
  after(() => world.close());
  afterEach(async () => {
    expect(await world.leftovers()).to.deep.equal([]);
  });

  const kustomize = async (files: Files, path = 'app'): Promise<string[]> =>
    faultsOf(await world.kustomize({ path, snapshot: memorySnapshot(files) }));
  const helm = async (files: Files, rendering: Partial<Rendering> = {}): Promise<string[]> =>
    faultsOf(
      await world.helm({
        path: 'app',
        snapshot: memorySnapshot({ 'app/Chart.yaml': chart, ...files }),
        ...rendering,
      }),
    );

  describe('made for kustomize', () => {
    it('is told at the line that names what is not there, or not in this repository', async () => {
      const faults = await kustomize({
        'app/kustomization.yaml': [
          'resources:',
          '  - missing.yaml',
          '  - https://github.com/example/app//deploy?ref=v1',
          '  - git@git.example.com:team/app.git',
          '  - raw.example.com/team/app/main/x.yaml',
          '  - ../../../outside',
          '  - ../no-base',
          '  - ../single.yaml',
          'patches: [{path: nowhere.yaml}]',
          'configMapGenerator: [{name: x, files: [key=gone.txt]}]',
        ].join('\n'),
        'no-base/a.yaml': configMap,
        'single.yaml': configMap,
      });
      const fetched =
        'is not in this repository, and nothing is fetched while rendering; commit what it gives, for instance with kustomize localize, and name that folder';
      const at = (position: string): string => `app/kustomization.yaml:${position}: RenderFailed`;
      expect(faults).to.deep.equal([
        `${at('2:5')}: there is no app/missing.yaml in the repository`,
        `${at('3:5')}: https://github.com/example/app//deploy?ref=v1 ${fetched}`,
        `${at('4:5')}: git@git.example.com:team/app.git ${fetched}`,
        `${at('5:5')}: raw.example.com/team/app/main/x.yaml ${fetched}`,
        `${at('6:5')}: ../../../outside leaves the repository`,
        `${at('7:5')}: no-base holds no kustomization.yaml`,
        `${at('8:5')}: single.yaml is outside of app, and kustomize reads single files only at or below the kustomization that names them; give its folder a kustomization.yaml and name the folder`,
        `${at('9:18')}: there is no app/nowhere.yaml in the repository`,
        `${at('10:40')}: there is no app/gone.txt in the repository`,
      ]);
    });

    it('is told in the base that it is in, without the way there', async () => {
      const files = { 'app/kustomization.yaml': 'resources: [../base]\n', 'base/a.yaml': configMap };
      const base = (text: string) => kustomize({ ...files, 'base/kustomization.yaml': text });
      expect(await base('resources: [a.yaml]\nresurces: [b.yaml]\n')).to.deep.equal([
        'base/kustomization.yaml:2:1: RenderFailed: kustomize: invalid Kustomization: json: unknown field "resurces"',
      ]);
      expect(await base('resources: [a.yaml\n')).to.have.lengthOf(1);
      expect(
        await base(
          'resources: [a.yaml]\npatches:\n  - patch: |-\n      - {op: remove, path: /nothing}\n    target: {kind: ConfigMap}\n',
        ),
      ).to.deep.equal([
        "base/kustomization.yaml:1: RenderFailed: kustomize: error in remove for path: '/nothing': Unable to remove nonexistent key: nothing: missing value",
      ]);
      expect(
        await base(
          'resources: [a.yaml]\npatches: [{patch: "kind: X\\nmetadata: {name: y}\\napiVersion: v1"}]\n',
        ),
      ).to.have.lengthOf(1);
    });

    it('is told in the file that is no YAML', async () => {
      const faults = await kustomize({
        'app/kustomization.yaml': 'resources: [../base]\n',
        'base/kustomization.yaml': 'resources: [good.yaml, bad.yaml]\n',
        'base/good.yaml': configMap,
        'base/bad.yaml': `${configMap}data: [\n`,
      });
      expect(faults).to.have.lengthOf(1);
      expect(faults[0]).to.match(
        /^base\/bad\.yaml:\d+: RenderFailed: kustomize: MalformedYAMLError: yaml: line \d+:/,
      );
    });

    it('is told for a circle, a clash, and two kustomizations in a folder', async () => {
      const circle = await kustomize({
        'app/kustomization.yaml': 'resources: [../b]\n',
        'b/kustomization.yaml': 'resources: [../app]\n',
      });
      expect(circle).to.have.lengthOf(1);
      expect(circle[0]).to.include('cycle detected');
      const clash = await kustomize({
        'app/kustomization.yaml': 'resources: [a.yaml, b.yaml]\n',
        'app/a.yaml': configMap,
        'app/b.yaml': configMap,
      });
      expect(clash[0]).to.include(
        'may not add resource with an already registered id: ConfigMap.v1.[noGrp]/a.[noNs]',
      );
      const two = await kustomize({
        'app/kustomization.yaml': 'resources: []\n',
        'app/kustomization.yml': 'resources: []\n',
      });
      expect(two[0]).to.include('Found multiple kustomization files');
    });

    it('is told for links that lead nowhere and for other repositories', async () => {
      const faults = await kustomize({
        'app/kustomization.yaml': 'resources: [a.yaml]\n',
        'app/a.yaml': configMap,
        'app/link.yaml': { kind: 'symlink' },
        'app/vendor': { kind: 'submodule' },
      });
      expect(faults.map((fault) => fault.split(':')[0])).to.deep.equal(['app/link.yaml', 'app/vendor']);
    });

    it('is told for charts that are not vendored, and for programs as plugins', async () => {
      expect(
        await kustomize({
          'app/kustomization.yaml':
            'helmCharts:\n  - name: redis\n    repo: https://charts.example.com\n    version: 1.2.3\n',
        }),
      ).to.deep.equal([
        'app/kustomization.yaml:2:11: RenderFailed: the chart redis is not in this repository, and nothing is fetched while rendering; vendor it with helm pull redis --repo https://charts.example.com --version 1.2.3 --untar --untardir app/charts/redis-1.2.3 and commit app/charts/redis-1.2.3/redis',
      ]);
      const plugin = await kustomize({
        'app/kustomization.yaml': 'generators: [plugin.yaml]\n',
        'app/plugin.yaml':
          'apiVersion: v1\nkind: Plugin\nmetadata:\n  name: p\n  annotations: {config.kubernetes.io/function: "exec: {path: ./run.sh}"}\n',
        'app/run.sh': '#!/bin/sh\ntouch /tmp/fleetwright-was-here\n',
      });
      expect(plugin).to.have.lengthOf(1);
      expect(plugin[0]).to.match(/external plugins disabled|unable to load/);
    });

    it('is told for what comes out and is no object', async () => {
      expect(
        await kustomize({
          'app/kustomization.yaml': 'resources: [a.yaml]\n',
          'app/a.yaml': configMap.replace('{name: a}', '{name: a, labels: {port: 80}}'),
        }),
      ).to.deep.equal([
        'app/kustomization.yaml:1: RenderFailed: what kustomize gives for ConfigMap a: label port must be text, not the number 80; quote it',
      ]);
    });
  });

  describe('that is a chart', () => {
    const template = (text: string): Files => ({ 'app/templates/web.yaml': `${configMap}data:\n${text}\n` });
    const cases: readonly (readonly [what: string, text: string, fault: string])[] = [
      [
        'a value that is required',
        '  a: {{ required "set .Values.a" .Values.a }}',
        'web.yaml:5:9: RenderFailed: helm: set .Values.a',
      ],
      [
        'a failure of its own',
        '  a: {{ fail "not for this cluster" }}',
        'web.yaml:5:9: RenderFailed: helm: not for this cluster',
      ],
      [
        'a value within nothing',
        '  a: {{ .Values.a.b }}',
        'web.yaml:5:16: RenderFailed: helm: at <.Values.a.b>: nil pointer evaluating interface {}.b',
      ],
      [
        'a function that is none',
        '  a: {{ env "HOME" }}',
        'web.yaml:5: RenderFailed: helm: function "env" not defined',
      ],
      [
        'a template that is none',
        '  a: {{ include "nope" . }}',
        'web.yaml:5:9: RenderFailed: helm: at <include "nope" .>: error calling include: no template "nope" associated with template "gotpl"',
      ],
      [
        'what is no YAML',
        '  a: "{{ print 1 }}',
        'web.yaml:1: RenderFailed: helm: what the template gives is no YAML: yaml: line 6: found unexpected end of stream',
      ],
    ];
    for (const [what, text, fault] of cases) {
      it(`is told for ${what}`, async () => {
        expect(await helm(template(text))).to.deep.equal([`app/templates/${fault}`]);
      });
    }

    it('is told in the helper that fails, not in the template that calls it', async () => {
      const faults = await helm({
        ...template('  a: {{ include "shop.name" . }}'),
        'app/templates/_names.tpl': '{{- define "shop.name" -}}\n{{ .Values.a.b }}\n{{- end -}}\n',
      });
      expect(faults).to.deep.equal([
        'app/templates/_names.tpl:2:11: RenderFailed: helm: at <.Values.a.b>: nil pointer evaluating interface {}.b',
      ]);
    });

    it('is told for values that the schema or the parser refuses, and files that are missing', async () => {
      const schema = { 'app/values.schema.json': '{"properties": {"replicas": {"type": "integer"}}}' };
      const options = { helm: { values: { replicas: 'many' } } };
      const [refused] = await helm({ ...template('  a: b'), ...schema }, options);
      expect(refused).to.match(
        /^app\/Chart\.yaml:1: RenderFailed: helm: values don't meet .*'\/replicas': got string, want integer/,
      );
      const files = { ...template('  a: b'), 'shared/values.yaml': 'a: 1\nb: [\n' };
      const values = (path: string) => helm(files, { helm: { valuesFiles: [{ path, optional: false }] } });
      expect((await values('/shared/values.yaml'))[0]).to.match(
        /^shared\/values\.yaml:\d+: RenderFailed: helm: .*did not find/,
      );
      expect(await values('prod.yaml')).to.deep.equal([
        'app/Chart.yaml:1: RenderFailed: the values file app/prod.yaml is not in the repository',
      ]);
      expect(await values('../../x.yaml')).to.deep.equal([
        'app/Chart.yaml:1: RenderFailed: the values file ../../x.yaml leaves the fleet’s root',
      ]);
    });

    it('is told for dependencies that are not vendored, each at its line', async () => {
      const dependencies = [
        'dependencies:',
        '  - {name: redis, version: 1.x.x, repository: "https://charts.example.com"}',
        '  - {name: parts, repository: "file://../parts"}',
        '  - {name: own, repository: "file://../app"}',
      ].join('\n');
      expect(await helm({ 'app/Chart.yaml': `${chart}${dependencies}\n` })).to.deep.equal([
        'app/Chart.yaml:5:5: RenderFailed: the dependency redis 1.x.x of https://charts.example.com is not vendored, and nothing is fetched while rendering; run helm dependency update app and commit app/charts/',
        'app/Chart.yaml:6:5: RenderFailed: there is no chart at parts in the repository',
        'app/Chart.yaml:7:5: RenderFailed: charts depend on each other in a circle: app → app',
      ]);
    });

    it('leaves it to helm what an archive of another name holds', async () => {
      const faults = await helm({
        'app/Chart.yaml': `${chart}dependencies: [{name: redis, version: 1.x.x, repository: "https://charts.example.com"}]\n`,
        'app/charts/renamed.tgz': new Uint8Array([1, 2, 3]),
      });
      expect(faults).to.have.lengthOf(1);
      expect(faults[0]).to.match(/^app\/Chart\.yaml:1: RenderFailed: helm: /);
    });

    it('is told for charts that helm does not install', async () => {
      expect(await helm({ 'app/Chart.yaml': `${chart}type: library\n` })).to.deep.equal([
        'app/Chart.yaml:1: RenderFailed: helm: library charts are not installable',
      ]);
      const old = { 'app/Chart.yaml': `${chart}kubeVersion: ">=1.40.0"\n`, ...template('  a: b') };
      expect(await helm(old, { kubeVersion: 'v1.36.3' })).to.deep.equal([
        'app/Chart.yaml:1: RenderFailed: helm: chart requires kubeVersion: >=1.40.0 which is incompatible with Kubernetes v1.36.3',
      ]);
      expect((await helm(template('  a: b'), { helm: { releaseName: 'Not_A_Name' } }))[0]).to.include(
        'invalid release name',
      );
    });

    it('is told for what comes out and is no object, at its template', async () => {
      expect(await helm({ 'app/templates/web.yaml': 'apiVersion: v1\nkind: ConfigMap\n' })).to.deep.equal([
        'app/templates/web.yaml:1: RenderFailed: what helm gives for ConfigMap: metadata.name is required',
      ]);
    });

    it('cannot take all memory', async () => {
      const bomb =
        '{{- $x := "xxxxxxxxxxxxxxxx" }}{{ range until 40 }}{{ $x = print $x $x }}{{ end }}\na: {{ len $x }}\n';
      const faults = await helm({ 'app/templates/bomb.yaml': bomb });
      expect(faults).to.deep.equal([
        'app/Chart.yaml:1: RenderFailed: helm: it needs more memory than a tool gets',
      ]);
    });

    it('is told once for clusters that are alike', async () => {
      const cache = createRenderCache();
      const snapshot = memorySnapshot({ 'app/Chart.yaml': chart, ...template('  a: {{ fail "no" }}') });
      const first = await world.helm({ path: 'app', snapshot, cache });
      expect(await world.helm({ path: 'app', snapshot, cache })).to.equal(first);
      expect(cache.counts.renderings).to.equal(1);
    });
  });

  describe('made for a tool that is missing or misbehaves', () => {
    let dir: string;
    before(async () => {
      dir = await mkdtemp(join(tmpdir(), 'fleetwright-fake-'));
    });
    after(() => rm(dir, { recursive: true, force: true }));

    const fake = async (name: string, script: string): Promise<string> => {
      const path = join(dir, name);
      await writeFile(path, `#!/bin/sh\ncase "$1" in version) echo v4.0.0; exit;; esac\n${script}\n`);
      await chmod(path, 0o755);
      return path;
    };
    const withHelm = async (path: string): Promise<string[]> => {
      const other = await openRenderWorld({
        paths: { helm: path },
        limits: { deadlineMs: 2_000, maxOutputBytes: 1024 * 1024 },
      });
      try {
        const faults = faultsOf(await other.helm({ path: 'helm/probe' }));
        expect(await other.leftovers()).to.deep.equal([]);
        return faults;
      } finally {
        await other.close();
      }
    };

    it('is told at the source', async () => {
      const [fault] = await withHelm('/nowhere/helm');
      expect(fault).to.match(
        /^helm\/probe\/Chart\.yaml:1: RenderFailed: the source is made for helm, but spec\.tools\.helm: /,
      );
    });

    it('ends with its deadline, its output or its complaint', async () => {
      expect(await withHelm(await fake('slow', 'sleep 600'))).to.deep.equal([
        'helm/probe/Chart.yaml:1: DeadlineExceeded: helm took longer than 2 s',
      ]);
      expect(await withHelm(await fake('loud', 'while :; do echo "a: b"; done'))).to.deep.equal([
        'helm/probe/Chart.yaml:1: RenderFailed: helm printed more than 1 MiB',
      ]);
      expect(await withHelm(await fake('curious', 'cat "$HOME/.kube/config"'))).to.deep.equal([
        'helm/probe/Chart.yaml:1: RenderFailed: helm: cat: home/.kube/config: No such file or directory',
      ]);
    });
  });
});
