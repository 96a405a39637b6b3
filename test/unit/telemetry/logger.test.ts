import { expect } from 'chai';

import { FleetError } from '../../../src/model/fleet-error.ts';
import { createLogger, type LogLevel } from '../../../src/telemetry/logger.ts';
import { logClusterSync } from '../../../src/telemetry/log-cluster-sync.ts';
import { changeReport, cluster, origin, unchanged, web } from '../report/sample-reports.ts';

function capture(options: { level?: LogLevel; pretty?: boolean } = {}) {
  const lines: string[] = [];
  const log = createLogger({
    level: options.level ?? 'info',
    pretty: options.pretty ?? false,
    destination: { write: (line) => lines.push(line) },
    now: () => new Date('2026-11-30T14:02:13Z'),
  });
  return { log, lines, parsed: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('the log', () => {
  it('is one JSON line an event, from its level up', () => {
    const { log, lines } = capture({ level: 'warn' });
    log.info('not this');
    log.with({ cluster: 'a' }).warn('this', { objects: 2 });
    expect(lines).to.deep.equal([
      '{"level":"warn","time":"2026-11-30T14:02:13.000Z","cluster":"a","objects":2,"msg":"this"}\n',
    ]);
  });

  it('redacts messages, fields, errors and causes, and stays JSON', () => {
    const { log, lines, parsed } = capture();
    const secret = 'https://bot:hunter2@git.example.com';
    const key = '-----BEGIN PRIVATE KEY-----\nhunter2';
    const error = new FleetError('GitUnavailable', `${secret} is away`, {
      cause: new Error(key),
      ref: web,
      origin: origin('a.yaml'),
    });
    log.with({ url: secret }).error(`fetch of ${secret}`, { error, nested: { list: [secret, key] } });
    expect(lines.join('')).not.to.contain('hunter2');
    expect(parsed()[0]).to.deep.include({
      msg: 'fetch of https://[redacted]@git.example.com',
      error: {
        code: 'GitUnavailable',
        retry: 'interval',
        object: 'Deployment/web in shop',
        origin: 'a.yaml:1',
        message: 'https://[redacted]@git.example.com is away',
        cause: { name: 'Error', message: '[redacted]' },
      },
    });
  });

  it('shows stacks at debug only, and survives a cycle', () => {
    for (const [level, shown] of [
      ['info', false],
      ['debug', true],
    ] as const) {
      const { log, lines } = capture({ level });
      const cyclic: Record<string, unknown> = {};
      cyclic['self'] = cyclic;
      log.error('x', { error: new Error('boom'), cyclic });
      expect(lines.join('').includes('logger.test')).to.equal(shown);
    }
  });

  it('is a plain line for people, in which nothing acts on the terminal', () => {
    const { log, lines } = capture({ pretty: true });
    log.warn('cluster \u001b[2J said\nno', { cluster: 'shanghai-prod', text: 'a b', n: 3 });
    expect(lines).to.deep.equal([
      '14:02:13 warn  cluster \\u001b[2J said\\nno  cluster=shanghai-prod text="a b" n=3\n',
    ]);
  });
});

describe('logClusterSync', () => {
  it('says what a sync did in one line', () => {
    const { log, parsed } = capture({ level: 'debug' });
    const [busy, calm, away] = changeReport('SyncReport').clusters;
    logClusterSync(log, busy!, { durationMs: 12.6 });
    logClusterSync(log, calm!, { durationMs: 1 });
    logClusterSync(log, away!, { durationMs: 5 });
    const summary = parsed().map(({ level, msg, cluster: name, created, held, durationMs }) => ({
      level,
      msg,
      name,
      created,
      held,
      durationMs,
    }));
    expect(summary).to.deep.equal([
      {
        level: 'error',
        msg: 'sync failed in part',
        name: 'shanghai-prod',
        created: 1,
        held: 2,
        durationMs: 13,
      },
      {
        level: 'debug',
        msg: 'in sync',
        name: 'beijing-prod',
        created: undefined,
        held: undefined,
        durationMs: 1,
      },
      {
        level: 'warn',
        msg: 'cluster is unreachable',
        name: 'chengdu-edge',
        created: undefined,
        held: undefined,
        durationMs: 5,
      },
    ]);
  });

  it('is silent at info for a fleet at rest', () => {
    const { log, lines } = capture();
    logClusterSync(log, cluster('a', { changes: [unchanged('ConfigMap/a')] }), { durationMs: 1 });
    expect(lines).to.deep.equal([]);
  });
});
