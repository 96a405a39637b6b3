import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import { controlPlaneBinaries } from '../../harness/control-plane.ts';

describe('a start that is called off', () => {
  it('leaves nothing running, and the folder fit for the next start', async () => {
    const binaries = await controlPlaneBinaries();
    const dir = await mkdtemp(join(tmpdir(), 'fleetwright-called-off-'));
    const options = { binaries, dir, name: 'called-off' };
    // Early enough that the API server, which takes a second and more, is not ready.
    const called = startControlPlane({ ...options, signal: AbortSignal.timeout(400) });
    expect(await called.catch((error: unknown) => error)).to.have.property('name', 'TimeoutError');

    // etcd locks its data: an old one would keep the next from starting.
    const controlPlane = await startControlPlane(options);
    expect(controlPlane.component('etcd').running).to.equal(true);
    await controlPlane.stop();
    await rm(dir, { recursive: true, force: true });
  });
});
