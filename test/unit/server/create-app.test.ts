import { createHash } from 'node:crypto';

import { expect } from 'chai';

import type { FleetReader } from '../../../src/engine/fleet-reader.ts';
import { ChangeFeed } from '../../../src/server/change-feed.ts';
import { createApp, maxStreams } from '../../../src/server/create-app.ts';
import type { Logger } from '../../../src/telemetry/logger.ts';
import { metadata } from '../report/sample-reports.ts';
import { busyFleet, newFleet, readerOf, silent } from './sample-fleet.ts';

const paths = ['/', '/fragment', '/healthz', '/readyz', '/api/v1/status', '/api/v1/sync', '/api/v1/drift'];

describe('createApp', () => {
  const feeds: ChangeFeed[] = [];
  afterEach(() => {
    for (const feed of feeds.splice(0)) feed.close();
  });

  function open(fleet: FleetReader, logger: Logger = silent) {
    const feed = new ChangeFeed({ onUpdate: (listener) => fleet.onUpdate(listener) });
    feeds.push(feed);
    const app = createApp({ fleet, feed, listenHost: '127.0.0.1', logger });
    const request = async (
      path: string,
      { method = 'GET', host = '127.0.0.1:8080' } = {},
    ): Promise<Response> => app.request(path, { method, headers: { host } });
    return { feed, request };
  }
  const busy = () => open(readerOf(busyFleet()));

  async function expectProblem(response: Response, status: number): Promise<void> {
    expect(response.status).to.equal(status);
    expect(response.headers.get('content-type')).to.equal('application/problem+json');
    expect(await response.json()).to.include({ type: 'about:blank', status });
  }

  for (const path of paths) {
    it(`serves GET and HEAD of ${path}, uncached and with the headers of a careful server`, async () => {
      const { request } = busy();
      const got = await request(path);
      const head = await request(path, { method: 'HEAD' });
      expect([got.status, head.status]).to.deep.equal([200, 200]);
      expect(await got.text()).not.to.equal('');
      expect(await head.text()).to.equal('');
      expect(Object.fromEntries(got.headers)).to.include({
        'cache-control': 'no-store',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
      expect(got.headers.get('content-security-policy')).to.match(/^default-src 'none'; /);
    });
  }

  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    it(`refuses ${method}`, async () => {
      const response = await busy().request('/api/v1/status', { method });
      expect(response.headers.get('allow')).to.equal('GET, HEAD');
      await expectProblem(response, 405);
    });
  }

  for (const path of [...paths, '/api/v1/events', '/nowhere']) {
    it(`refuses ${path} under a foreign name`, async () => {
      await expectProblem(await busy().request(path, { host: 'evil.example' }), 421);
    });
  }

  it('answers an unknown path with a problem', async () => {
    await expectProblem(await busy().request('/api/v1/nothing'), 404);
  });

  it('tells a stranger nothing of a fault, and the log all', async () => {
    const logged: unknown[] = [];
    const fault = new Error('/secret/path is broken');
    const fleet: FleetReader = {
      ...readerOf(busyFleet()),
      status: () => {
        throw fault;
      },
    };
    const logger: Logger = { ...silent, error: (_message, fields) => logged.push(fields?.['error']) };
    const response = await open(fleet, logger).request('/');
    const body = await response.clone().text();
    expect(body).not.to.contain('secret');
    expect(response.headers.get('x-content-type-options')).to.equal('nosniff');
    await expectProblem(response, 500);
    expect(logged).to.deep.equal([fault]);
  });

  it('gives the status in the shape that `fleetwright status` prints', async () => {
    const response = await busy().request('/api/v1/status');
    expect(await response.json()).to.deep.include({
      apiVersion: 'fleetwright.dev/v1alpha1',
      kind: 'FleetStatus',
      metadata,
    });
  });

  it('is not ready before a revision was read', async () => {
    expect((await open(readerOf(newFleet())).request('/readyz')).status).to.equal(503);
  });

  it('lets the page run its own script and style, and no other', async () => {
    const response = await busy().request('/');
    const policy = response.headers.get('content-security-policy') ?? '';
    const page = await response.text();
    for (const tag of ['script', 'style']) {
      const bodies = [...page.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(
        ([, body = '']) => body,
      );
      expect(bodies).to.have.lengthOf(1);
      const hash = createHash('sha256').update(bodies[0]!).digest('base64');
      expect(policy).to.contain(`${tag}-src 'sha256-${hash}'`);
    }
    expect(page).not.to.match(/ (?:on[a-z]+|style)=/);
    expect(policy).not.to.contain('unsafe');
  });

  it('shows a change at once in the fragment', async () => {
    const fleet = readerOf(busyFleet());
    const { request } = open(fleet);
    expect(await (await request('/fragment')).text()).to.contain('shanghai-prod');
    fleet.data = newFleet();
    fleet.update();
    expect(await (await request('/fragment')).text()).not.to.contain('shanghai-prod');
  });

  it('opens no stream for HEAD of the events', async () => {
    const { feed, request } = busy();
    const response = await request('/api/v1/events', { method: 'HEAD' });
    expect(response.headers.get('content-type')).to.equal('text/event-stream');
    expect(feed.size).to.equal(0);
  });

  it('refuses more streams than it has room for, until one ends', async () => {
    const { feed, request } = busy();
    const streams: Response[] = [];
    for (let i = 0; i < maxStreams; i += 1) streams.push(await request('/api/v1/events'));
    expect(feed.size).to.equal(maxStreams);
    await expectProblem(await request('/api/v1/events'), 503);
    await streams[0]!.body!.cancel();
    const next = await request('/api/v1/events');
    expect(next.status).to.equal(200);
    for (const stream of [...streams.slice(1), next]) await stream.body!.cancel();
    expect(feed.size).to.equal(0);
  });
});
