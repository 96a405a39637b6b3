import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';

import type { JsonObject } from '../../../src/model/json.ts';
import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import type { ChangeReport } from '../../../src/model/report.ts';
import { auditFromNow, writesBy } from '../../harness/audit.ts';
import { sharedControlPlane, uniqueNamespace } from '../../harness/control-plane.ts';
import { clusterOfUser, generatorFile, namespaceFile } from '../../harness/fleet-files.ts';
import { countOf, type Outsider, outsider, startTestFleet, type TestFleet } from '../../harness/fleet.ts';
import { ownedVersions } from '../../harness/owned-versions.ts';
import { differences, type Relation } from './corpus-differences.ts';
import { corpus, defineOddities, kubectlApply, storedIn } from './corpus-fixture.ts';

type Stored = ReadonlyMap<string, JsonObject>;

describe('what reaches the API server', () => {
  const user = uniqueNamespace('oracle');
  const oracles = { client: uniqueNamespace('client'), server: uniqueNamespace('server') };
  let controlPlane: ControlPlane;
  let someone: Outsider;
  let fleet: TestFleet;
  let report: ChangeReport;
  let stored: { readonly client: Stored; readonly server: Stored; readonly ours: Stored };

  before(async function () {
    // The first run on a machine fetches kubectl.
    this.timeout(400_000);
    controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    await defineOddities(someone);
    for (const name of Object.values(oracles))
      await someone.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await kubectlApply(controlPlane, { namespace: oracles.client });
    await kubectlApply(controlPlane, { namespace: oracles.server }, '--server-side');
    fleet = await startTestFleet({
      clusters: [await clusterOfUser(controlPlane, { name: 'tokyo', user })],
      files: (namespace) => ({
        'generators/corpus.yaml': generatorFile('corpus', { namespace }),
        'clusters/tokyo/namespace.yaml': namespaceFile(namespace),
        ...Object.fromEntries([...corpus].map(([file, bytes]) => [`apps/corpus/${file}.yaml`, bytes])),
      }),
    });
    report = await fleet.sync();
    stored = {
      client: await storedIn(someone, oracles.client),
      server: await storedIn(someone, oracles.server),
      ours: await storedIn(someone, fleet.namespace),
    };
  });

  after(async () => {
    await fleet.close();
    await someone.close();
  });

  describe('equals what kubectl apply stores', () => {
    for (const file of corpus.keys()) {
      const known = differences.find(({ files }) => files.includes(file));
      it(known === undefined ? file : `${file}, but ${known.why}`, () => {
        const ours = objectsOf(file, stored.ours);
        const found = [
          relationOf(ours, objectsOf(file, stored.client)),
          relationOf(ours, objectsOf(file, stored.server)),
        ];
        if (!isDeepStrictEqual(found, known?.relation ?? ['same', 'same'])) {
          // Says what differs, not only that something does.
          expect(Object.fromEntries(ours)).to.deep.equal(Object.fromEntries(objectsOf(file, stored.client)));
          expect(Object.fromEntries(ours)).to.deep.equal(Object.fromEntries(objectsOf(file, stored.server)));
        }
        expect(found).to.deep.equal(known?.relation ?? ['same', 'same']);
      });
    }
  });

  it('is told of for each file of which nothing does', () => {
    const told = new Set([
      ...report.clusters[0]!.errors.map(({ subject }) => subject.origin?.file),
      ...report.clusters[0]!.changes.filter(({ action }) => action === 'failed').map(
        ({ origin }) => origin.file,
      ),
    ]);
    const silent = [...corpus.keys()].filter(
      (file) => objectsOf(file, stored.ours).size === 0 && !told.has(`apps/corpus/${file}.yaml`),
    );
    expect(silent).to.deep.equal(['documents-comments-only', 'documents-none']);
  });

  it('is written once: whatever the manifests look like, another pass writes nothing', async () => {
    const before = await ownedVersions(someone);
    const audit = await auditFromNow(controlPlane);
    for (const pass of [1, 2, 3]) {
      const again = await fleet.sync();
      expect([pass, countOf(again, 'create'), countOf(again, 'configure')]).to.deep.equal([pass, 0, 0]);
    }
    const accepted = writesBy(await audit.events(), user).filter(({ status }) => status < 400);
    expect(accepted.map(({ verb, uri }) => `${verb} ${uri}`)).to.deep.equal([]);
    expect(await ownedVersions(someone)).to.deep.equal(before);
  });
});

/** Objects carry the name of their file, with a number where a file has several. */
function objectsOf(file: string, stored: Stored): Map<string, JsonObject> {
  const isOfFile = (key: string): boolean => {
    const name = key.slice(key.indexOf(' ') + 1);
    return name === file || (!corpus.has(name) && name.replace(/-\d$/, '') === file);
  };
  return new Map([...stored].filter(([key]) => isOfFile(key)));
}

function relationOf(ours: Stored, theirs: Stored): Relation {
  const shared = [...ours].filter(([key]) => theirs.has(key));
  if (shared.some(([key, object]) => !isDeepStrictEqual(object, theirs.get(key)))) return 'other';
  if (ours.size === theirs.size && shared.length === ours.size) return 'same';
  if (shared.length === theirs.size) return 'more';
  return shared.length === ours.size ? 'less' : 'other';
}
