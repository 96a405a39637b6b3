import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect } from 'chai';

import { parentName } from '../../../src/apply/apply-set-parent.ts';
import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import { containsGroupKindsAnnotation } from '../../../src/model/apply-set.ts';
import { arrayAt, type JsonValue, stringAt } from '../../../src/model/json.ts';
import { sharedControlPlane } from '../../harness/control-plane.ts';
import { eventually, type Outsider, outsider, startTestFleet, type TestFleet } from '../../harness/fleet.ts';

const program = fileURLToPath(new URL('../../../bin/fleetwright', import.meta.url));
const perKind = 100;
const kinds = ['ConfigMap', 'Secret', 'ServiceAccount'];

const manifests = (namespace: string): string =>
  [
    `{apiVersion: v1, kind: Namespace, metadata: {name: ${namespace}}}`,
    ...kinds.flatMap((kind) =>
      Array.from(
        { length: perKind },
        (_, index) =>
          `{apiVersion: v1, kind: ${kind}, metadata: {name: n-${index}, namespace: ${namespace}}}`,
      ),
    ),
  ].join('\n---\n');

/** The program itself, killed without a warning: what it had done must be found again, whatever it had noted down. */
describe('a first sync that is killed', function () {
  this.timeout(120_000);
  let controlPlane: ControlPlane;
  let fleet: TestFleet;
  let someone: Outsider;
  let settings: string;
  const running = new Set<ChildProcess>();

  const start = (): ChildProcess => {
    const child = spawn(program, ['run', '-c', settings], { stdio: 'ignore' });
    running.add(child);
    child.once('exit', () => running.delete(child));
    return child;
  };
  const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
    if (!running.has(child)) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  };
  /** The uids of what is there, by kind and name. */
  const uids = async (): Promise<Map<string, string>> => {
    const found = new Map<string, string>();
    for (const kind of kinds) {
      const list = await someone.get(
        `/api/v1/namespaces/${fleet.namespace}/${kind.toLowerCase()}s?limit=1000`,
      );
      for (const item of arrayAt(list, 'items')) {
        const name = stringAt(item, 'metadata', 'name') ?? '';
        if (name.startsWith('n-')) found.set(`${kind}/${name}`, stringAt(item, 'metadata', 'uid') ?? '');
      }
    }
    return found;
  };
  const parentKinds = async (): Promise<string[]> => {
    const path = `/api/v1/namespaces/fleetwright-system/configmaps/${parentName(fleet.settings.name)}`;
    const parent = await someone.get(path);
    return (stringAt(parent, 'metadata', 'annotations', containsGroupKindsAnnotation) ?? '').split(',');
  };

  before(async () => {
    controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane }],
      files: (namespace) => ({ 'clusters/tokyo/all.yaml': manifests(namespace) }),
    });
    settings = join(fleet.settings.stateDir, 'fleetwright.yaml');
    const documents: JsonValue[] = [
      {
        apiVersion: 'fleetwright.dev/v1alpha1',
        kind: 'Fleet',
        metadata: { name: fleet.settings.name },
        spec: {
          source: { url: fleet.repository.url, ref: 'main', interval: '1s' },
          server: { listen: '127.0.0.1:0' },
          stateDir: fleet.settings.stateDir,
        },
      },
      {
        apiVersion: 'fleetwright.dev/v1alpha1',
        kind: 'Cluster',
        metadata: { name: 'tokyo' },
        spec: { kubeconfig: { path: controlPlane.kubeconfigPath } },
      },
    ];
    await writeFile(settings, documents.map((document) => JSON.stringify(document)).join('\n---\n'));
  });

  after(async () => {
    await Promise.all([...running].map((child) => end(child, 'SIGKILL')));
    await fleet.close();
    await someone.close();
  });

  let afterKill: Map<string, string>;

  it('leaves a part of the objects, of which the parent names every kind', async () => {
    const child = start();
    await eventually(
      async () => ((await uids()).size >= 20 ? true : undefined),
      'twenty objects are there',
      30_000,
    );
    await end(child, 'SIGKILL');
    afterKill = await uids();
    expect(afterKill.size).to.be.within(20, kinds.length * perKind - 1);
    expect(await parentKinds()).to.have.members(['Namespace', ...kinds]);
  });

  it('goes on where it was: all is there, and what was there is the same', async () => {
    const child = start();
    const now = await eventually(
      async () => {
        const found = await uids();
        return found.size === kinds.length * perKind ? found : undefined;
      },
      'all objects are there',
      30_000,
    );
    for (const [key, uid] of afterKill) expect(now.get(key), key).to.equal(uid);
    await end(child, 'SIGTERM');
    expect(child.exitCode).to.equal(0);
  });

  it('orphans nothing: what Git drops of the first part is pruned', async () => {
    const [kept = ''] = manifests(fleet.namespace).split('\n---\n');
    await fleet.repository.commit({
      'clusters/tokyo/all.yaml': `${kept}\n---\n${configMap(fleet.namespace)}`,
    });
    const { changes } = await fleet.once('plan');
    const doomed = changes.clusters
      .flatMap((cluster) => cluster.changes)
      .filter(({ action }) => action === 'held');
    expect(doomed).to.have.length(kinds.length * perKind - 1);
  });
});

function configMap(namespace: string): string {
  return `{apiVersion: v1, kind: ConfigMap, metadata: {name: n-0, namespace: ${namespace}}}`;
}
