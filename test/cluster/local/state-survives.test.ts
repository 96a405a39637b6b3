import { createServer } from 'node:net';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { stringAt } from '../../../src/model/json.ts';
import {
  type ControlPlane,
  startControlPlane,
} from '../../../src/local/control-plane/start-control-plane.ts';
import { controlPlaneBinaries } from '../../harness/control-plane.ts';
import { connectTestApi } from '../../harness/test-api.ts';

describe('the folder of a control plane', () => {
  let dir: string;
  let running: ControlPlane | undefined;
  const start = async (): Promise<ControlPlane> => {
    running = await startControlPlane({ binaries: await controlPlaneBinaries(), dir, name: 'again' });
    return running;
  };

  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'fleetwright-again-'));
  });
  afterEach(async () => {
    await running?.stop();
  });
  after(async () => {
    await rm(dir, { recursive: true, force: true });
  });

  it('is continued by the next start, and kubeconfigs handed out before hold on', async () => {
    const first = await start();
    const firstKubeconfig = await readFile(await first.issueClient('jane', [], 60_000), 'utf8');
    const api = await connectTestApi(first);
    const created = await api.create('/api/v1/namespaces', { metadata: { name: 'kept' } });
    await first.stop();

    const second = await start();
    const found = (await api.send({ method: 'GET', path: '/api/v1/namespaces/kept' })).body;
    expect(stringAt(found, 'metadata', 'uid')).to.equal(stringAt(created, 'metadata', 'uid'));
    expect(firstKubeconfig).to.include(`server: ${second.url}`);
    expect(second.ca).to.equal(first.ca);
    await api.close();
  });

  it('is served on another port where its own was taken meanwhile', async () => {
    const port = Number(await readFile(join(dir, 'port'), 'utf8'));
    const squatter = createServer();
    squatter.listen(port, '127.0.0.1');
    await once(squatter, 'listening');

    const controlPlane = await start();
    expect(controlPlane.url).to.not.equal(`https://127.0.0.1:${port}`);
    const api = await connectTestApi(controlPlane);
    expect((await api.send({ method: 'GET', path: '/api/v1/namespaces/kept' })).status).to.equal(200);
    await api.close();
    squatter.close();
  });
});
