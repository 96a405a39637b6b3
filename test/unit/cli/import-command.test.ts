import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { importFiles } from '../../../src/cli/actions/import-files.ts';
import { fakeEnvironment, run } from './fake-environment.ts';
import { useFolder } from './settings-folder.ts';

const applicationSet = (name: string, option = 'PruneLast=true'): string => `
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: ${name}}
spec:
  generators: [{clusters: {selector: {matchLabels: {env: prod}}}}]
  template:
    metadata: {name: ${name}}
    spec:
      source: {repoURL: https://git.example.com/fleet.git, path: apps/${name}}
      destination: {name: '{{name}}'}
      syncPolicy: {automated: {prune: true}, syncOptions: [${option}]}
`;
const kustomization = `
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps}
spec: {path: ./apps, prune: true, interval: 5m, sourceRef: {kind: GitRepository, name: flux-system}}
`;

describe('import', () => {
  const folder = useFolder();

  async function call(args: readonly string[], stdin = '') {
    const environment = fakeEnvironment({ cwd: folder.path, stdin });
    const status = await run(['import', ...args], { import: importFiles }, environment);
    return { status, out: environment.out(), err: environment.err() };
  }

  it('prints generators on stdout and findings on stderr, and ends with 0 when all was translated', async () => {
    writeFileSync(join(folder.path, 'a.yaml'), applicationSet('a'));
    const { status, out, err } = await call(['argocd-applicationset', 'a.yaml', '-'], applicationSet('b'));
    expect(out.match(/^kind: Generator$/gm)).to.have.length(2);
    expect(out).to.contain('# from a.yaml:2\n').and.to.contain('# from -:2\n');
    expect(err)
      .to.match(/^a\.yaml:\d+:\d+: left out: /m)
      .and.to.contain('2 generators from 2 documents');
    expect(status).to.equal(0);
  });

  it('ends with 1 when something had no equal, with what could be translated', async () => {
    const { status, out, err } = await call(
      ['argocd-applicationset', '-'],
      applicationSet('a', 'CreateNamespace=true'),
    );
    expect(out).to.contain('path: apps/a');
    expect(err).to.match(
      /^-:12:\d+: no equal: spec\.template\.spec\.syncPolicy\.syncOptions\[0\]: CreateNamespace=true/m,
    );
    expect(status).to.equal(1);
  });

  it('writes a file for each generator and overwrites none that is there', async () => {
    const args = ['argocd-applicationset', '-', '--output-dir', 'generators'];
    const text = `${applicationSet('a')}---${applicationSet('b')}`;
    const first = await call(args, text);
    expect([first.status, first.out]).to.deep.equal([0, 'generators/a.yaml\ngenerators/b.yaml\n']);
    const path = join(folder.path, 'generators');
    expect(readdirSync(path).sort()).to.deep.equal(['a.yaml', 'b.yaml']);

    writeFileSync(join(path, 'a.yaml'), 'mine');
    const second = await call(args, `${text}---${applicationSet('c')}`);
    expect(second.status).to.equal(3);
    expect(second.err).to.contain('a.yaml').and.to.contain('--force');
    expect(readdirSync(path), 'nothing is written').to.have.length(2);
    expect(readFileSync(join(path, 'a.yaml'), 'utf8')).to.equal('mine');

    expect((await call([...args, '--force'], text)).status).to.equal(0);
    expect(readFileSync(join(path, 'a.yaml'), 'utf8')).to.contain('kind: Generator');
  });

  it('prints generators, findings and faults as one JSON document', async () => {
    const { status, out, err } = await call(
      ['argocd-applicationset', '-', '-o', 'json'],
      `${applicationSet('a')}---\nkind: Other\n`,
    );
    const report = JSON.parse(out) as Record<string, unknown>;
    expect(report).to.deep.include({
      kind: 'ImportReport',
      summary: { documents: 1, generators: 1, faults: 1, unsupported: 0, changed: 2, dropped: 1 },
    });
    expect(report).to.have.nested.property('generators[0].document.spec.source.path', 'apps/a');
    expect(report).to.have.nested.property('findings[0].origin.line', 10);
    expect([status, err]).to.deep.equal([1, '']);
  });

  it('takes the cluster of a Kustomization from the folder or from --cluster', async () => {
    mkdirSync(join(folder.path, 'clusters/beijing'), { recursive: true });
    writeFileSync(join(folder.path, 'clusters/beijing/apps.yaml'), kustomization);
    const named = await call(['flux-kustomization', 'clusters/beijing/apps.yaml']);
    expect(named.out).to.contain('when: cluster.name == "beijing"');
    const told = await call(['flux-kustomization', '-', '--cluster', 'shanghai'], kustomization);
    expect(told.out).to.contain('when: cluster.name == "shanghai"');
    expect([named.status, told.status]).to.deep.equal([0, 0]);
  });

  it('takes names of servers and the repository from options', async () => {
    const options = [
      '--server',
      'https://a/=one',
      '--server=https://b=two',
      '--repo',
      'git@git.example.com:fleet',
    ];
    const text = applicationSet('a')
      .replace(/\[\{clusters.*\]/, '[{list: {elements: [{url: "https://a"}, {url: "https://b/"}]}}]')
      .replace("name: '{{name}}'", "server: '{{url}}'");
    const { out, err } = await call(['argocd-applicationset', '-', ...options], text);
    expect(out).to.contain('cluster.name == {"https://a":"one","https://b/":"two"}[item.url]');
    expect(err).not.to.contain('repoURL');
    const wrong = await call(['argocd-applicationset', '-', '--server', 'nothing']);
    expect(wrong.status).to.equal(3);
    expect(wrong.err).to.contain('URL=NAME');
  });

  it('ends with 3 for files that cannot be read, before anything is written', async () => {
    const missing = await call(['argocd-applicationset', 'a.yaml', '--output-dir', 'out']);
    expect([missing.status, missing.err]).to.deep.equal([
      3,
      'a.yaml cannot be read: there is no such file.\n',
    ]);
    expect((await call(['flux-kustomization', '.'])).err).to.contain('it is a folder');
    expect((await call(['argocd-applicationset'])).status).to.equal(3);
    expect(readdirSync(folder.path)).not.to.include('out');
  });

  it('shows examples in the help of each kind', async () => {
    for (const kind of ['argocd-applicationset', 'flux-kustomization']) {
      const { status, out } = await call([kind, '--help']);
      expect(status).to.equal(0);
      expect(out).to.contain('Examples:').and.to.contain(`fleetwright import ${kind}`);
    }
  });
});
