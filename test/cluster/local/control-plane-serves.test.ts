import { readFile, stat } from 'node:fs/promises';
import { expect } from 'chai';
import { Agent, request } from 'undici';
import { sharedControlPlane } from '../../harness/control-plane.ts';

describe('a local control plane', () => {
  it('serves a client that has a certificate', async () => {
    const controlPlane = await sharedControlPlane();
    const { certificate, key } = await controlPlane.issueCredentials('somebody', ['system:masters'], 60_000);
    const dispatcher = new Agent({ connect: { ca: controlPlane.ca, cert: certificate, key } });
    const { statusCode, body } = await request(`${controlPlane.url}/version`, { dispatcher });
    expect(statusCode).to.equal(200);
    expect(await body.json()).to.include({ major: '1', minor: '36' });
    await dispatcher.close();
  });

  it('refuses a client that has none', async () => {
    const controlPlane = await sharedControlPlane();
    const dispatcher = new Agent({ connect: { ca: controlPlane.ca } });
    const { statusCode, body } = await request(`${controlPlane.url}/version`, { dispatcher });
    expect(statusCode).to.equal(401);
    await body.dump();
    await dispatcher.close();
  });

  it('writes a kubeconfig that only its owner may read', async () => {
    const controlPlane = await sharedControlPlane();
    expect((await stat(controlPlane.kubeconfigPath)).mode & 0o777).to.equal(0o600);
    expect(await readFile(controlPlane.kubeconfigPath, 'utf8')).to.include(`server: ${controlPlane.url}`);
  });
});
