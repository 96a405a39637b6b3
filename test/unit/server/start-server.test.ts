import { request as httpRequest } from 'node:http';

import { expect } from 'chai';

import { FleetError } from '../../../src/model/fleet-error.ts';
import { type RunningServer, startServer } from '../../../src/server/start-server.ts';
import { busyFleet, readerOf, silent } from './sample-fleet.ts';

describe('startServer', () => {
  const listen = { host: '127.0.0.1', port: 0 };
  const servers: RunningServer[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  async function start(fleet = readerOf(busyFleet())): Promise<RunningServer> {
    const server = await startServer({ fleet, listen, logger: silent });
    servers.push(server);
    return server;
  }

  /** The next text of a stream that holds the word, or '' when the stream ends before. */
  async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, word: string): Promise<string> {
    const decoder = new TextDecoder();
    for (let text = ''; ;) {
      const { value, done } = await reader.read();
      if (done) return '';
      text += decoder.decode(value, { stream: true });
      if (text.includes(word)) return text;
    }
  }

  it('streams an event for each change, and frees the place of a client that leaves', async () => {
    const fleet = readerOf(busyFleet());
    const { url } = await start(fleet);
    const leave = new AbortController();
    const response = await fetch(`${url}/api/v1/events`, { signal: leave.signal });
    expect(response.headers.get('content-type')).to.equal('text/event-stream');
    const reader = response.body!.getReader();
    expect(await readUntil(reader, ': connected')).to.contain('retry:');
    fleet.update();
    expect(await readUntil(reader, 'event: changed')).not.to.equal('');
    fleet.update();
    expect(await readUntil(reader, 'event: changed')).not.to.equal('');
    leave.abort();
    expect(await reader.read().catch(() => 'aborted')).to.equal('aborted');
  });

  it('serves a hundred streams in a row of clients that leave', async () => {
    const { url } = await start();
    for (let i = 0; i < 120; i += 1) {
      const leave = new AbortController();
      const response = await fetch(`${url}/api/v1/events`, { signal: leave.signal });
      expect(response.status).to.equal(200);
      leave.abort();
    }
  });

  it('ends open streams and listens to the engine no more when it is closed', async () => {
    const fleet = readerOf(busyFleet());
    const server = await startServer({ fleet, listen, logger: silent });
    const response = await fetch(`${server.url}/api/v1/events`);
    const rest = response.text().catch(() => 'cut off');
    await server.close();
    expect(await rest).to.equal('cut off');
    expect(fleet.listeners).to.equal(0);
  });

  it('refuses a foreign Host header on a real connection', async () => {
    const { url } = await start();
    const status = await new Promise((resolve, reject) => {
      httpRequest(`${url}/api/v1/status`, { headers: { host: 'evil.example' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).to.equal(421);
  });

  it('says what to set when the port is taken', async () => {
    const { url } = await start();
    const port = Number(new URL(url).port);
    const fleet = readerOf(busyFleet());
    const error: unknown = await startServer({
      fleet,
      listen: { host: '127.0.0.1', port },
      logger: silent,
    }).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(FleetError);
    expect((error as FleetError).code).to.equal('ConfigInvalid');
    expect((error as FleetError).message).to.contain('spec.server.listen');
    expect(fleet.listeners).to.equal(0);
  });
});
