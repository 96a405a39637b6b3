import { join } from 'node:path';

import { expect } from 'chai';

import type { Actions } from '../../../src/cli/actions.ts';
import type { Finding } from '../../../src/model/finding.ts';
import { FleetError } from '../../../src/model/fleet-error.ts';
import type { FleetStatus } from '../../../src/model/status.ts';
import { changeReport, cluster, driftReport, metadata, origin, ref } from '../report/sample-reports.ts';
import { fakeEnvironment, run } from './fake-environment.ts';
import { useFolder } from './settings-folder.ts';

const clean = { metadata, clusters: [cluster('a')], errors: [] };
const plan = { kind: 'Plan', ...clean } as const;
const toCreate = {
  action: 'create',
  ref: ref('Namespace/shop'),
  origin: origin('ns.yaml'),
  fields: [],
} as const;
const differing = { ...plan, clusters: [cluster('a', { changes: [toCreate] })] };
const everything = { clusters: [], generators: [] };

describe('commands', () => {
  const folder = useFolder();

  /** Runs a command whose action records its request and gives this result. */
  async function call<Name extends keyof Actions>(
    name: Name,
    args: readonly string[],
    result: Awaited<ReturnType<Actions[Name]>>,
  ): Promise<{ status: number; out: string; err: string; request: Record<string, unknown> }> {
    const environment = fakeEnvironment({ cwd: folder.path });
    const requests: object[] = [];
    const action = (request: object) => {
      requests.push(request);
      return Promise.resolve(result);
    };
    const status = await run(args, { [name]: action }, environment);
    expect(requests.length, environment.err()).to.equal(1);
    return { status, out: environment.out(), err: environment.err(), request: { ...requests[0] } };
  }

  it('sync reads the settings, narrows and prints what was done', async () => {
    const args = ['sync', '--cluster', 'a', '--cluster', 'b', '--generator', 'g'];
    const { status, out, request } = await call('sync', args, { kind: 'SyncReport', ...clean });
    expect(request['settings']).to.deep.include({
      name: 'my-fleet',
      stateDir: join(folder.path, '.fleetwright'),
    });
    expect(request['scope']).to.deep.equal({ clusters: ['a', 'b'], generators: ['g'] });
    expect(out).to.contain('Sync of acme');
    expect(status).to.equal(0);
  });

  it('sync ends with 1 when something failed, and says it on stdout alone', async () => {
    const { status, out, err } = await call('sync', ['sync', '-o', 'json'], changeReport('SyncReport'));
    expect(JSON.parse(out)).to.include({ kind: 'SyncReport' });
    expect(err).to.equal('');
    expect(status).to.equal(1);
  });

  it('sync waits for five minutes, or as long as it is told; what waits still is not done', async () => {
    const waiting = {
      action: 'pending',
      ref: ref('ConfigMap/web', 'shop'),
      origin: origin('web.yaml'),
      fields: [],
      reason: 'waits for Deployment/db in shop: it is new',
      waitsFor: ['Deployment.apps/shop/db'],
    } as const;
    const report = {
      ...clean,
      kind: 'SyncReport',
      clusters: [cluster('a', { changes: [waiting] })],
    } as const;
    const outcomes = await Promise.all(
      [[], ['--wait', '30s'], ['--wait', '0']].map(async (given) => {
        const { status, request } = await call('sync', ['sync', ...given], report);
        return [request['waitMs'], status];
      }),
    );
    expect(outcomes).to.deep.equal([
      [300_000, 1],
      [30_000, 1],
      [0, 0],
    ]);
    const environment = fakeEnvironment({ cwd: folder.path });
    expect(await run(['sync', '--wait', 'long'], {}, environment)).to.equal(3);
    expect(environment.err()).to.include('30s, 5m or 0');
  });

  it('plan reads the settings, a ref or a working copy', async () => {
    const revisionOf = async (...args: string[]) =>
      (await call('plan', ['plan', ...args], plan)).request['revision'];
    expect(await revisionOf()).to.deep.equal({ kind: 'settings' });
    expect(await revisionOf('--ref', 'v1')).to.deep.equal({ kind: 'ref', ref: 'v1' });
    expect(await revisionOf('--dir', 'work')).to.deep.equal({
      kind: 'workingCopy',
      dir: join(folder.path, 'work'),
    });
    expect(await revisionOf('--dir', '/elsewhere')).to.deep.equal({ kind: 'workingCopy', dir: '/elsewhere' });
  });

  it('plan ends with 2 for differences only with --exit-code', async () => {
    expect((await call('plan', ['plan'], differing)).status).to.equal(0);
    expect((await call('plan', ['plan', '--exit-code'], differing)).status).to.equal(2);
    expect((await call('plan', ['plan', '--exit-code'], plan)).status).to.equal(0);
  });

  it('drift prints in every format', async () => {
    const starts = { text: 'Drift of acme', json: '{\n', yaml: 'apiVersion: ', markdown: '### Drift' };
    for (const [format, start] of Object.entries(starts)) {
      const { out, request } = await call('drift', ['drift', '-o', format], driftReport());
      expect(out.startsWith(start), out).to.equal(true);
      expect(request['scope']).to.deep.equal(everything);
    }
  });

  it('demo needs no settings and stays up unless it is to run once', async () => {
    const stayed = await call('demo', ['demo', '--clusters', '2', '--port', '0'], undefined);
    expect(stayed.request).to.deep.equal({ clusters: 2, port: 0, once: false });
    expect([stayed.status, stayed.out]).to.deep.equal([0, '']);
    const once = await call('demo', ['demo', '--once', '-o', 'json'], { kind: 'SyncReport', ...clean });
    expect(once.request).to.deep.equal({ clusters: 3, once: true });
    expect(JSON.parse(once.out)).to.include({ kind: 'SyncReport' });
    expect(once.err).to.equal('');
  });

  it('run hands over the settings and ends well when it stops', async () => {
    const { status, request } = await call('run', ['run'], undefined);
    expect(request['settings']).to.include({ name: 'my-fleet' });
    expect(status).to.equal(0);
  });

  const found = (findings: readonly Finding[]) => ({
    revision: 'working-copy',
    kubernetes: '1.36',
    root: '',
    files: ['apps/a.yaml'],
    clusters: ['east', 'west'],
    findings,
    notes: [],
  });
  const noKind: Finding = {
    severity: 'error',
    code: 'ManifestInvalid',
    message: 'no kind',
    place: { file: 'apps/a.yaml', document: 1, line: 3, column: 5 },
  };
  const unused: Finding = {
    severity: 'warning',
    code: 'SourceUnused',
    message: 'no generator reads it',
    place: { file: 'apps/b' },
  };

  it('validate prints findings for editors, or one sentence', async () => {
    const bad = await call('validate', ['validate', '--dir', '.'], found([noKind, unused]));
    expect(bad.out).to.equal(
      'apps/a.yaml:3:5: ManifestInvalid: no kind\napps/b: warning: SourceUnused: no generator reads it\n1 file, 2 clusters: 1 error, 1 warning\n',
    );
    expect(bad.status).to.equal(1);
    const good = await call('validate', ['validate'], found([]));
    expect(good.out).to.equal('1 file, 2 clusters: no fault\n');
    expect(good.status).to.equal(0);
  });

  it('validate ends well with warnings, unless told to be strict', async () => {
    expect((await call('validate', ['validate'], found([unused]))).status).to.equal(0);
    const strict = await call('validate', ['validate', '--strict'], found([unused]));
    expect([strict.status, strict.out.split('\n')[0]]).to.deep.equal([
      1,
      'apps/b: SourceUnused: no generator reads it',
    ]);
  });

  it('validate takes sets of labels in the place of clusters', async () => {
    const labels = ['--labels', 'env=prod,region=eu', '--labels', 'env=test', '--labels', ''];
    const { request } = await call('validate', ['validate', ...labels], found([]));
    expect([...(request['labelSets'] as Map<string, unknown>)]).to.deep.equal([
      ['labels:env=prod,region=eu', { env: 'prod', region: 'eu' }],
      ['labels:env=test', { env: 'test' }],
      ['labels:', {}],
    ]);
  });

  it('validate refuses labels that are none, and clusters beside them', async () => {
    for (const more of [['env'], ['env=a=b'], ['-env=a'], ['env=a b'], ['a=b', '--cluster', 'c']]) {
      const environment = fakeEnvironment({ cwd: folder.path });
      expect(await run(['validate', '--labels', ...more], {}, environment), more.join(' ')).to.equal(3);
      expect(environment.err()).to.contain('--labels');
    }
  });

  it('validate speaks to programs', async () => {
    const out = async (format: string) =>
      (await call('validate', ['validate', '-o', format], found([noKind]))).out;
    expect(JSON.parse(await out('json'))).to.include({ kind: 'ValidationReport' });
    expect(await out('yaml')).to.contain('kind: ValidationReport');
    expect(JSON.parse(await out('sarif'))).to.include({ version: '2.1.0' });
    expect(await out('junit')).to.match(/^<\?xml/);
    expect(await out('markdown')).to.match(/^### ❌ /);
  });

  it('status prints a table', async () => {
    const { out, status } = await call('status', ['status'], fleetStatus);
    expect(out).to.equal(`\
acme at 3f2c1ab, could not be fetched
  ! GitUnavailable: no answer

CLUSTER        STATE        OBJECTS  DRIFTED  HELD  FAILED  REVISION  SYNCED  SEEN
chengdu-edge   unreachable  0        0        0     0       -         never   never
  ! connect ECONNREFUSED
shanghai-prod  reachable    214      2        1     0       3f2c1ab   2m ago  2s ago
  env=prod,region=cn-east

GENERATOR  CLUSTERS  OBJECTS
frontend   2         8

1 held: run fleetwright plan to see it
`);
    expect(status).to.equal(1);
  });

  it('status ends with 0 where nothing asks for a person, and hints at holds in JSON', async () => {
    const [shanghai] = fleetStatus.clusters;
    const calm = {
      ...fleetStatus,
      lastFetch: { at: metadata.generatedAt },
      clusters: [{ ...shanghai!, held: 0 }],
    };
    const { status, out } = await call('status', ['status'], calm);
    expect(status).to.equal(0);
    expect(out).to.contain('fetched just now').and.not.to.contain('held:');
    const { out: json } = await call('status', ['status', '-o', 'json'], fleetStatus);
    expect(JSON.parse(json)).to.have.deep.property('hints', ['1 held: run fleetwright plan to see it']);
  });

  it('status tells faults that concern no single cluster', async () => {
    const fault = new FleetError('ConfigInvalid', 'no selector', { origin: origin('generators/a.yaml', 3) });
    const [shanghai] = fleetStatus.clusters;
    const broken = {
      ...fleetStatus,
      lastFetch: { at: metadata.generatedAt },
      clusters: [{ ...shanghai!, held: 0 }],
      errors: [fault],
    };
    const { status, out } = await call('status', ['status'], broken);
    expect(status).to.equal(1);
    expect(out).to.contain('! ConfigInvalid  generators/a.yaml:3\n    no selector\n    → Mend the file');
  });

  it('approve passes the id on and says what goes through', async () => {
    const approval = {
      holdId: 'a1',
      cluster: 'shanghai-prod',
      reason: 'it would delete 2 objects',
      objects: [ref('ConfigMap/b', 'shop'), ref('ConfigMap/a', 'shop')],
    };
    const { out, request } = await call('approve', ['approve', 'a1'], approval);
    expect(request['holdId']).to.equal('a1');
    expect(out).to.equal(`\
Approved a1 in shanghai-prod: it would delete 2 objects
  ConfigMap/a in shop
  ConfigMap/b in shop
The next sync goes through with 2 objects.
`);
  });
});

const fleetStatus: FleetStatus = {
  fleet: 'acme',
  revision: metadata.revision,
  generatedAt: metadata.generatedAt,
  lastFetch: { at: '2026-11-30T14:02:00Z', error: new FleetError('GitUnavailable', 'no answer') },
  clusters: [
    {
      name: 'shanghai-prod',
      state: 'reachable',
      labels: { region: 'cn-east', env: 'prod' },
      lastSeenAt: '2026-11-30T14:02:11Z',
      lastSyncAt: '2026-11-30T14:00:11Z',
      revision: metadata.revision,
      objects: 214,
      drifted: 2,
      held: 1,
      failed: 0,
    },
    {
      name: 'chengdu-edge',
      state: 'unreachable',
      labels: {},
      objects: 0,
      drifted: 0,
      held: 0,
      failed: 0,
      message: 'connect ECONNREFUSED',
    },
  ],
  generators: [{ name: 'frontend', clusters: 2, objects: 8 }],
};
