import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect } from 'chai';

import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import { valueAt } from '../../../src/model/json.ts';
import { renderReport } from '../../../src/report/render-report.ts';
import { sharedControlPlane } from '../../harness/control-plane.ts';
import {
  driftOf,
  eventually,
  type Outsider,
  outsider,
  startTestFleet,
  type TestEngine,
  type TestFleet,
} from '../../harness/fleet.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const hash = /^\(hidden, [0-9a-f]{8}\)$/;

const wanted = 'wanted-by-git-8d1f';
const byHand = 'set-by-hand-55c0';
const added = 'added-by-hand-91ab';
const refused = 'refused-by-server-77e3';
/** Every form in which a value could leak. */
const secrets = [wanted, byHand, added, refused].flatMap((text) => [text, base64(text)]);

const manifest = (namespace: string): string => `
{apiVersion: v1, kind: Namespace, metadata: {name: ${namespace}}}
---
apiVersion: v1
kind: Secret
metadata: {name: password, namespace: ${namespace}}
data: {token: ${base64(wanted)}}
`;

describe('drift of a Secret', () => {
  let controlPlane: ControlPlane;
  let fleet: TestFleet;
  let engine: TestEngine;
  let someone: Outsider;
  const seen: string[] = [];

  const path = (): string => `/api/v1/namespaces/${fleet.namespace}/secrets/password`;

  before(async () => {
    controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane }],
      files: (namespace) => ({ 'clusters/tokyo/all.yaml': manifest(namespace) }),
    });
    engine = fleet.start();
    await engine.settled();
  });

  after(async () => {
    await fleet.close();
    await someone.close();
  });

  it('shows short hashes in place of values, alike where values are', async () => {
    await someone.patch(path(), { data: { token: base64(byHand), extra: base64(added) } });
    await eventually(
      async () => (valueAt(await someone.get(path()), 'data', 'token') === base64(wanted) ? true : undefined),
      'the value is as in Git',
    );
    const drift = await eventually(() => {
      const found = engine.drift().clusters.flatMap(({ objects }) => objects);
      return found.find(({ action }) => action === 'corrected');
    }, 'it is listed as corrected');
    const [field] = drift.fields;
    expect(drift.fields.map((each) => each.path)).to.deep.equal(['.data.token']);
    expect(field?.desired).to.match(hash);
    expect(field?.live).to.match(hash);
    expect(field?.desired).not.to.equal(field?.live);
    const reported = await eventually(() => {
      const found = engine.drift().clusters.flatMap(({ objects }) => objects);
      return found.find(({ action }) => action === 'reported');
    }, 'the added key is listed');
    expect(reported.fields[0]?.path).to.equal('.data.extra');
    expect(reported.fields[0]?.live).to.match(hash);
  });

  it('is looked at in every report', async () => {
    const once = await fleet.once('drift');
    for (const report of [engine.drift(), engine.report(), once.drift, once.changes])
      for (const format of ['text', 'json', 'yaml', 'markdown'] as const)
        seen.push(renderReport(report, { format, width: 200, color: false }));
    seen.push(JSON.stringify(engine.status()));
  });

  it('shows nothing of a value that the server refuses', async () => {
    const text = manifest(fleet.namespace).replace(base64(wanted), `"${refused}!"`);
    await fleet.repository.commit({ 'clusters/tokyo/all.yaml': text });
    await eventually(
      () =>
        engine.report().clusters[0]?.changes.some(({ action }) => action === 'failed') ? true : undefined,
      'the refusal is reported',
    );
    for (const format of ['text', 'json', 'yaml', 'markdown'] as const)
      seen.push(renderReport(engine.report(), { format, width: 200, color: false }));
    seen.push(JSON.stringify(engine.status()));
    expect(driftOf(engine.drift(), 'password')).not.to.equal(undefined);
  });

  it('leaves no value in reports, in the log or in the state folder', async () => {
    const log = engine.log();
    expect(log).to.include('corrected drift');
    await engine.stop();
    const written = await filesBelow(fleet.settings.stateDir);
    expect(written.map(({ file }) => file)).to.include('state.db');
    for (const secret of secrets) {
      for (const text of [...seen, log]) expect(text).not.to.include(secret);
      for (const { file, bytes } of written)
        expect(bytes.includes(secret), `${secret} in ${file}`).to.equal(false);
    }
  });
});

/** What Fleetwright keeps for itself. The mirrors of Git hold manifests as they are, compressed, and are left out. */
async function filesBelow(dir: string): Promise<{ file: string; bytes: Buffer }[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.map(async (path) => ({ file: path.slice(dir.length + 1), bytes: await readFile(path) })),
  );
}
