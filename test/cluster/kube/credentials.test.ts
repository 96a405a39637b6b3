import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { dump, load } from 'js-yaml';
import { isJsonObject, type JsonObject, objectAt, valueAt } from '../../../src/model/json.ts';
import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import { sharedControlPlane } from '../../harness/control-plane.ts';
import { type AnswerProxy, proxyAnswers } from '../../harness/fault-proxy.ts';
import { connectTo, deadline, errorOf } from './kube-fixture.ts';

const unauthorized = {
  status: 401,
  body: JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason: 'Unauthorized',
    code: 401,
  }),
};

describe('credentials', () => {
  let controlPlane: ControlPlane;
  let proxy: AnswerProxy;
  let dir: string;

  beforeEach(async () => {
    controlPlane = await sharedControlPlane();
    proxy = await proxyAnswers(controlPlane);
    dir = await mkdtemp(join(tmpdir(), 'credentials-'));
  });
  afterEach(async () => {
    await proxy.close();
    await rm(dir, { recursive: true, force: true });
  });

  const version = { method: 'GET', path: '/version' } as const;

  /** The proxy's kubeconfig with another user and more about its cluster. */
  async function kubeconfig(user: JsonObject, cluster: JsonObject = {}): Promise<string> {
    const base: unknown = load(await readFile(proxy.kubeconfigPath, 'utf8'));
    if (!isJsonObject(base)) throw new Error('the proxy writes no kubeconfig');
    const known = valueAt(base, 'clusters');
    const first = objectAt({ first: Array.isArray(known) ? (known[0] ?? null) : null }, 'first', 'cluster');
    const path = join(dir, 'kubeconfig');
    const changed = {
      ...base,
      'current-context': 'proxied',
      contexts: [{ name: 'proxied', context: { cluster: 'proxied', user: 'proxied' } }],
      clusters: [{ name: 'proxied', cluster: { ...first, ...cluster } }],
      users: [{ name: 'proxied', user }],
    };
    await writeFile(path, dump(changed), { mode: 0o600 });
    return path;
  }

  /** Accepts the token that stands in the variable at the time. */
  function accept(token: () => string): void {
    proxy.answer = ({ authorization }) => (authorization === `Bearer ${token()}` ? undefined : unauthorized);
  }

  it('are read again from a token file when the server refuses the old token', async () => {
    let valid = 'first';
    accept(() => valid);
    await writeFile(join(dir, 'token'), 'first\n');
    const client = await connectTo(await kubeconfig({ tokenFile: 'token' }));
    expect((await client.request({ ...version, signal: deadline() })).status).to.equal(200);
    valid = 'second';
    await writeFile(join(dir, 'token'), 'second\n');
    expect((await client.request({ ...version, signal: deadline() })).status).to.equal(200);
    expect(client.counters().requests).to.equal(3);
  });

  it('are asked of an exec plugin once for many requests, and again once when many are refused', async () => {
    let valid = 'token-1';
    accept(() => valid);
    const plugin = join(dir, 'plugin.sh');
    await writeFile(
      plugin,
      `#!/bin/sh
cd "$(dirname "$0")"
echo "$KUBERNETES_EXEC_INFO" >> runs
sleep 0.2
printf '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"token-%s"}}' "$(wc -l < runs | tr -d ' ')"
`,
    );
    await chmod(plugin, 0o700);
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: './plugin.sh',
      interactiveMode: 'Never',
    };
    const client = await connectTo(await kubeconfig({ exec }));
    const runs = async () => (await readFile(join(dir, 'runs'), 'utf8')).trim().split('\n');
    const many = () =>
      Promise.all(Array.from({ length: 6 }, () => client.request({ ...version, signal: deadline() })));
    await many();
    expect(await runs()).to.have.length(1);
    valid = 'token-2';
    await many();
    expect(await runs()).to.have.length(2);
    expect(JSON.parse((await runs())[0] ?? '')).to.deep.include({
      kind: 'ExecCredential',
      spec: { interactive: false },
    });
  });

  it('that stay refused are told as such, without the token', async () => {
    proxy.answer = () => unauthorized;
    const client = await connectTo(await kubeconfig({ token: 'hunter2' }));
    const error = await errorOf(client.request({ ...version, signal: deadline() }));
    expect(error).to.include({ code: 'ClusterUnauthorized', retry: 'interval' });
    expect(client.counters().requests).to.equal(2);
    expect(JSON.stringify(error) + String(error.stack)).to.not.include('hunter2');
  });

  it('of a plugin that fails are told with its last words', async () => {
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: 'sh',
      args: ['-c', 'echo noise >&2; echo "please log in" >&2; exit 1'],
    };
    const client = await connectTo(await kubeconfig({ exec }));
    const error = await errorOf(client.request({ ...version, signal: deadline() }));
    expect(error).to.include({
      code: 'ClusterUnauthorized',
      message: "the kubeconfig's credential plugin failed: please log in",
    });
  });

  it('of user name and password are sent as such', async () => {
    proxy.answer = ({ authorization }) =>
      authorization === `Basic ${Buffer.from('ann:pass').toString('base64')}` ? undefined : unauthorized;
    const client = await connectTo(await kubeconfig({ username: 'ann', password: 'pass' }));
    expect((await client.request({ ...version, signal: deadline() })).status).to.equal(200);
  });

  it('of a certificate that ran out are read again, and presented on new connections', async () => {
    const path = join(dir, 'rotating');
    const issue = async (user: string, lifetimeMs: number) =>
      readFile(await controlPlane.issueClient(user, [], lifetimeMs));
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const whoAmI = {
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      body: review,
    } as const;
    await writeFile(path, await issue('before', 4_000));
    const client = await connectTo(path);
    const name = async () =>
      valueAt(
        (await client.request({ ...whoAmI, signal: deadline() })).body,
        'status',
        'userInfo',
        'username',
      );
    expect(await name()).to.equal('before');
    await writeFile(path, await issue('after', 3_600_000));
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    expect(await name()).to.equal('after');
  });

  it('reach the server through a proxy that the kubeconfig names', async () => {
    const tunnels: string[] = [];
    const tunnel = createServer().on('connect', (request, socket, head) => {
      tunnels.push(request.url ?? '');
      const { hostname, port } = new URL(`http://${request.url ?? ''}`);
      const upstream = connect(Number(port), hostname, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.write(head);
        socket.pipe(upstream).pipe(socket);
      });
      upstream.on('error', () => socket.destroy());
      socket.on('error', () => upstream.destroy());
    });
    await new Promise<void>((resolve) => tunnel.listen(0, '127.0.0.1', resolve));
    const { port } = tunnel.address() as AddressInfo;
    accept(() => 'through');
    const client = await connectTo(
      await kubeconfig({ token: 'through' }, { 'proxy-url': `http://127.0.0.1:${port}` }),
    );
    expect((await client.request({ ...version, signal: deadline() })).status).to.equal(200);
    expect(tunnels).to.have.length(1);
    await client.close();
    tunnel.closeAllConnections();
    tunnel.close();
  });
});
