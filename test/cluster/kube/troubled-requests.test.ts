import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Clock } from '../../../src/kube/clock.ts';
import type { KubeClient } from '../../../src/kube/kube-client.ts';
import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import { sharedControlPlane } from '../../harness/control-plane.ts';
import { type AnswerProxy, type Fault, proxyAnswers, proxyConnections } from '../../harness/fault-proxy.ts';
import { apply, configMap, connectTo, createNamespace, deadline, errorOf } from './kube-fixture.ts';

describe('a request on a troubled way', () => {
  let controlPlane: ControlPlane;
  let namespace: string;
  let proxy: AnswerProxy;
  let client: KubeClient;

  beforeEach(async () => {
    controlPlane = await sharedControlPlane();
    namespace = await createNamespace(controlPlane);
    proxy = await proxyAnswers(controlPlane);
    client = await connectTo(proxy.kubeconfigPath, { random: () => 0.1 });
  });
  afterEach(() => proxy.close());

  const list = { method: 'GET', path: '/api/v1/namespaces', query: { limit: '1' } } as const;
  /** Gives the fault for the first requests that match, and lets all others pass. */
  function failFirst(times: number, fault: Fault, matches: (url: string) => boolean = () => true): void {
    let left = times;
    proxy.answer = ({ url }) => (matches(url) && left-- > 0 ? fault : undefined);
  }

  it('waits as long as a full server asks, then is done', async () => {
    failFirst(1, {
      status: 429,
      headers: { 'retry-after': '1' },
      body: 'Too many requests, please try again later.',
    });
    const waits: number[] = [];
    const clock: Clock = {
      now: () => Date.now(),
      sleep: (delayMs) => Promise.resolve(void waits.push(delayMs)),
    };
    const patient = await connectTo(proxy.kubeconfigPath, { clock, random: () => 0 });
    expect((await patient.request({ ...list, signal: deadline() })).status).to.equal(200);
    expect(waits).to.deep.equal([1_000]);
    expect(patient.counters()).to.deep.include({ requests: 2, retries: 1 });
  });

  it('ends at once with the wait when that would outlive its deadline', async () => {
    failFirst(1, { status: 429, headers: { 'retry-after': '60' }, body: '' });
    const error = await errorOf(client.request({ ...list, deadlineMs: 5_000, signal: deadline() }));
    expect(error).to.include({ code: 'RateLimited', retryAfterMs: 60_000 });
    expect(client.counters().requests).to.equal(1);
  });

  it('is sent again after an answer that broke off, where twice is the same as once', async () => {
    failFirst(1, { cutAfterBytes: 10 });
    expect((await client.request({ ...list, signal: deadline() })).status).to.equal(200);
    failFirst(1, { cutAfterBytes: 10 }, (url) => url.includes('/configmaps/'));
    // The first PATCH was carried out, so the second creates nothing.
    expect((await apply(client, configMap(namespace, 'twice'))).created).to.equal(false);
  });

  it('is not sent again after an answer that broke off, where it would be done twice', async () => {
    failFirst(1, { cutAfterBytes: 10 });
    const error = await errorOf(
      client.request({
        method: 'POST',
        path: `/api/v1/namespaces/${namespace}/configmaps`,
        body: configMap(namespace, 'once'),
        signal: deadline(),
      }),
    );
    expect(error.code).to.equal('ClusterUnreachable');
    expect(client.counters().requests).to.equal(1);
  });

  it('gives up after some tries, each counted', async () => {
    proxy.answer = () => ({
      status: 502,
      headers: { 'content-type': 'text/html' },
      body: '<html>Bad Gateway</html>',
    });
    const error = await errorOf(client.request({ ...list, signal: deadline() }));
    expect(error).to.include({
      code: 'ClusterUnreachable',
      message: 'something before the API server answered with 502',
    });
    expect(client.counters()).to.deep.include({ requests: 5, retries: 4 });
  });

  it('takes a login page for no answer', async () => {
    proxy.answer = () => ({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: '<html>Please log in</html>',
    });
    expect((await errorOf(client.request({ ...list, deadlineMs: 1_000, signal: deadline() }))).code).to.equal(
      'ClusterUnreachable',
    );
  });

  it('passes on what the server warns of', async () => {
    failFirst(1, {
      status: 200,
      headers: { warning: '299 - "v1 Old is \\"deprecated\\"", 299 - "use New"' },
      body: '{"kind":"List"}',
    });
    expect((await client.request({ ...list, signal: deadline() })).warnings).to.deep.equal([
      'v1 Old is "deprecated"',
      'use New',
    ]);
  });

  it('ends by its deadline when nothing answers, and by its signal when it is called off', async () => {
    const silent = await proxyConnections(controlPlane);
    silent.setPassage('blackhole');
    const mute = await connectTo(silent.kubeconfigPath);
    const late = await errorOf(mute.request({ ...list, deadlineMs: 500, signal: deadline() }));
    expect(late).to.include({ code: 'DeadlineExceeded', message: 'no answer within 0.5 s' });
    const controller = new AbortController();
    const reason = new Error('called off');
    const called = mute.request({ ...list, signal: controller.signal }).catch((error: unknown) => error);
    controller.abort(reason);
    expect(await called).to.equal(reason);
    await silent.close();
  });

  it('tells a refused connection and an unknown name from each other', async () => {
    await proxy.close();
    const refused = await errorOf(client.request({ ...list, deadlineMs: 1_000, signal: deadline() }));
    expect(refused).to.include({
      code: 'ClusterUnreachable',
      message: 'nothing listens at the address of the API server (ECONNREFUSED)',
    });
  });

  it('trusts no certificate that the kubeconfig does not vouch for', async () => {
    const other = await proxyAnswers(controlPlane);
    const distrusting = join(await mkdtemp(join(tmpdir(), 'distrust-')), 'kubeconfig');
    const kubeconfig = await readFile(other.kubeconfigPath, 'utf8');
    const wrongCa = Buffer.from(controlPlane.ca).toString('base64');
    await writeFile(
      distrusting,
      kubeconfig.replace(/certificate-authority-data: .*/, `certificate-authority-data: ${wrongCa}`),
    );
    const client2 = await connectTo(distrusting);
    const error = await errorOf(client2.request({ ...list, deadlineMs: 2_000, signal: deadline() }));
    expect(error.code).to.equal('ClusterUnreachable');
    expect(error.message).to.match(/certificate/);
    await other.close();
  });
});
