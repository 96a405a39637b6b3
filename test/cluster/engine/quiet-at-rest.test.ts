import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'chai';

import { auditFromNow, type AuditEvent, writesBy } from '../../harness/audit.ts';
import {
  type ExampleCluster,
  exampleClusters,
  type ExampleFleet,
  exampleUser,
  startExampleFleet,
} from '../../harness/example-fleet.ts';
import { eventually, type Outsider, outsider, type TestEngine } from '../../harness/fleet.ts';
import { type OwnedVersion, ownedVersions } from '../../harness/owned-versions.ts';

/** Longer than five polls of Git that are more than a second apart could take, and than the controllers need. */
const restMs = 6_000;
/** Longer than the last of the pauses between looks at what a server serves. */
const longestPauseMs = 10_000;

describe('the example fleet', function () {
  this.timeout(180_000);
  let example: ExampleFleet;
  let engine: TestEngine;
  const outsiders = new Map<string, Outsider>();

  const versions = async (): Promise<Map<string, Map<string, OwnedVersion>>> => {
    const all = new Map<string, Map<string, OwnedVersion>>();
    for (const [name, someone] of outsiders) all.set(name, await ownedVersions(someone));
    return all;
  };
  /** Workloads become ready and Jobs complete: resourceVersions rest only when the controllers have ended. */
  const atRest = async (): Promise<Map<string, Map<string, OwnedVersion>>> => {
    let before = await versions();
    return eventually(async () => {
      await sleep(1_000);
      const now = await versions();
      const same = describeVersions(before) === describeVersions(now);
      before = now;
      return same ? now : undefined;
    }, 'the controllers have ended');
  };
  const requestsDuring = async (work: () => Promise<void>): Promise<Map<string, AuditEvent[]>> => {
    const audits: (readonly [ExampleCluster, Awaited<ReturnType<typeof auditFromNow>>])[] = [];
    for (const cluster of example.clusters) audits.push([cluster, await auditFromNow(cluster.controlPlane)]);
    await work();
    const requests = new Map<string, AuditEvent[]>();
    for (const [{ name }, audit] of audits)
      requests.set(
        name,
        (await audit.events()).filter(({ user }) => user === exampleUser),
      );
    return requests;
  };
  /** The requests of the engine in so many milliseconds, but for watches that go on where they were. */
  const requestsIn = async (ms: number): Promise<AuditEvent[]> =>
    [...(await requestsDuring(() => sleep(ms))).values()].flat().filter((event) => !isWatchRenewal(event));

  before(async () => {
    example = await startExampleFleet(Object.keys(exampleClusters));
    for (const { name, controlPlane } of example.clusters) outsiders.set(name, await outsider(controlPlane));
    engine = example.fleet.start();
    await engine.settled();
  });

  after(async () => {
    await example.close();
    await Promise.all([...outsiders.values()].map((someone) => someone.close()));
  });

  it('converges without a fault', () => {
    const report = engine.report();
    expect(report.errors).to.deep.equal([]);
    expect(report.clusters.map(({ name, state, errors }) => ({ name, state, errors }))).to.have.deep.members(
      example.clusters.map(({ name }) => ({ name, state: 'reachable', errors: [] })),
    );
    const failed = report.clusters
      .flatMap(({ changes }) => changes)
      .filter(({ action }) => action === 'failed');
    expect(failed).to.deep.equal([]);
  });

  it('is quiet at rest: no request, and nothing moves', async () => {
    // For some seconds after a definition came, the server is asked what it serves, at growing pauses.
    await eventually(
      async () => ((await requestsIn(longestPauseMs)).length === 0 ? true : undefined),
      'the engine has come to rest',
      60_000,
    );
    const before = await atRest();
    expect(await requestsIn(restMs)).to.deep.equal([]);
    expect(describeVersions(await versions())).to.equal(describeVersions(before));
    expect(engine.drift().clusters.flatMap(({ objects }) => objects)).to.deep.equal([]);
  });

  it('is not written by a second sync', async () => {
    await engine.stop();
    await example.fleet.sync();
    const before = await atRest();
    const requests = await requestsDuring(async () => {
      const report = await example.fleet.sync();
      const actions = new Set(report.clusters.flatMap(({ changes }) => changes).map(({ action }) => action));
      expect([...actions]).to.deep.equal(['unchanged']);
    });
    for (const [name, events] of requests) expect(writesBy(events, exampleUser), name).to.deep.equal([]);
    expect(describeVersions(await versions())).to.equal(describeVersions(before));
  });

  it('is not written by a restart, nor is an object read', async () => {
    const before = await atRest();
    const requests = await requestsDuring(async () => {
      engine = example.fleet.start();
      await engine.settled();
    });
    for (const [name, events] of requests) {
      const known = [isDiscovery, isParent, isWatch];
      expect(
        events.filter((event) => !known.some((is) => is(event))),
        name,
      ).to.deep.equal([]);
    }
    expect(describeVersions(await versions())).to.equal(describeVersions(before));
  });

  it('is not written by an engine that has forgotten everything', async () => {
    await engine.stop();
    await example.fleet.forget();
    const before = await atRest();
    const requests = await requestsDuring(async () => {
      engine = example.fleet.start();
      await engine.settled();
    });
    for (const [name, events] of requests) expect(writesBy(events, exampleUser), name).to.deep.equal([]);
    expect(describeVersions(await versions())).to.equal(describeVersions(before));
    expect(engine.drift().clusters.flatMap(({ objects }) => objects)).to.deep.equal([]);
  });
});

function isWatch({ verb }: AuditEvent): boolean {
  return verb === 'watch';
}

function isWatchRenewal(event: AuditEvent): boolean {
  return isWatch(event) && !event.uri.includes('sendInitialEvents');
}

function isDiscovery({ verb, uri }: AuditEvent): boolean {
  return verb === 'get' && /^\/(api|apis|version)(\/[^/?]+){0,2}(\?|$)/.test(uri);
}

function isParent({ verb, resource, namespace }: AuditEvent): boolean {
  return verb === 'get' && resource === 'configmaps' && namespace === 'fleetwright-system';
}

/** As text, so that a difference shows by name. */
function describeVersions(versions: ReadonlyMap<string, ReadonlyMap<string, OwnedVersion>>): string {
  return [...versions]
    .flatMap(([cluster, objects]) =>
      [...objects].map(([key, { uid, resourceVersion }]) => `${cluster} ${key} ${uid} ${resourceVersion}`),
    )
    .sort()
    .join('\n');
}
