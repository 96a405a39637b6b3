import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import type { DesiredState } from '../../../src/model/desired.ts';
import { FleetError } from '../../../src/model/fleet-error.ts';
import { fakeEnvironment, run } from './fake-environment.ts';
import { useFolder } from './settings-folder.ts';

function state(cluster: string, names: readonly string[], faults: readonly FleetError[] = []): DesiredState {
  const objects = names.map((name) => ({
    ref: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name },
    manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'shop' } },
    origin: { generator: 'g', file: 'apps/a.yaml', document: 1, line: 1 },
    defaultNamespace: '',
  }));
  return { cluster, revision: 'r', objects, generators: new Map(), faults, labels: {}, warnings: [] };
}

describe('render', () => {
  const folder = useFolder();
  const fault = new FleetError('ManifestInvalid', 'no kind', {
    origin: { generator: 'g', file: 'a.yaml', document: 1, line: 2 },
  });

  async function render(args: readonly string[], ...clusters: DesiredState[]) {
    const environment = fakeEnvironment({ cwd: folder.path });
    const result = { revision: 'r', clusters, faults: [] };
    const status = await run(['render', ...args], { render: () => Promise.resolve(result) }, environment);
    return { status, out: environment.out(), err: environment.err() };
  }

  it('prints a stream of documents', async () => {
    const { status, out, err } = await render([], state('a', ['x']), state('b', ['x']));
    expect(out.match(/^# cluster: \w$/gm)).to.deep.equal(['# cluster: a', '# cluster: b']);
    expect([status, err]).to.deep.equal([0, '']);
  });

  it('prints what could be rendered and ends with 1 when something could not', async () => {
    const { status, out, err } = await render([], state('a', ['x'], [fault]), state('b', [], [fault]));
    expect(out).to.contain('name: x');
    expect(err).to.equal('a.yaml:2: ManifestInvalid: no kind\n');
    expect(status).to.equal(1);
  });

  it('says so when there is nothing', async () => {
    const said = async (args: readonly string[], ...clusters: DesiredState[]) =>
      (await render(args, ...clusters)).err;
    expect(await said([])).to.equal('Nothing was rendered: no cluster is known.\n');
    expect(await said([], state('a', []))).to.equal(
      'Nothing was rendered: the repository gives nothing to a.\n',
    );
    expect(await said(['--generator', 'g'], state('a', []), state('b', []))).to.equal(
      'Nothing was rendered: g gives nothing to any of 2 clusters.\n',
    );
    expect(await said([], state('a', []), state('b', ['x']))).to.equal('');
  });

  it('writes files, and removes those of what is gone', async () => {
    const exists = (cluster: string) => {
      try {
        return readFileSync(join(folder.path, `out/${cluster}/shop/configmap.yaml`), 'utf8').includes(
          'name: x',
        );
      } catch {
        return false;
      }
    };
    const into = ['--output-dir', 'out'];
    expect((await render(into, state('a', ['x']), state('b', ['x']))).out).to.equal(
      'out: 2 written, 0 unchanged, 0 removed\n',
    );
    await render([...into, '--cluster', 'a'], state('a', ['x']));
    expect(exists('b'), 'another cluster').to.equal(true);
    await render(into, state('a', ['x']), state('b', [], [fault]));
    expect(exists('b'), 'a rendering with faults').to.equal(true);
    await render([...into, '--generator', 'g'], state('a', ['x']), state('b', []));
    expect(exists('b'), 'one generator of several').to.equal(true);
    await render(into, state('a', ['x']), state('b', []));
    expect([exists('a'), exists('b')], 'a whole rendering').to.deep.equal([true, false]);
  });
});
