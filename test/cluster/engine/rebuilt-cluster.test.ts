import { expect } from 'chai';

import { runOnce } from '../../../src/engine/run-once.ts';
import { openGitSource } from '../../../src/git/open-git-source.ts';
import { systemClock } from '../../../src/kube/clock.ts';
import type { ChangeReport } from '../../../src/model/report.ts';
import { openStateStore } from '../../../src/store/state-store.ts';
import { sharedControlPlane } from '../../harness/control-plane.ts';
import { configMap, generatorFile, namespaceFile } from '../../harness/fleet-files.ts';
import { actionsOf, startTestFleet, type TestFleet } from '../../harness/fleet.ts';

describe('a cluster that was built anew under its old name', () => {
  let fleet: TestFleet;

  before(async () => {
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane: await sharedControlPlane() }],
      sync: { drift: 'report' },
      files: (namespace) => ({
        'generators/web.yaml': generatorFile('web'),
        'apps/web/namespace.yaml': namespaceFile(namespace),
        'apps/web/map.yaml': configMap(namespace, 'settings'),
      }),
    });
  });

  after(() => fleet.close());

  /** A sync with the same state folder, by a kubeconfig that leads to another API server. */
  async function syncElsewhere(): Promise<ChangeReport> {
    const { kubeconfigPath } = await sharedControlPlane(1);
    const { settings } = fleet;
    const source = openGitSource(settings.source, { stateDir: settings.stateDir });
    const store = openStateStore(settings.stateDir);
    const connection = { kind: 'kubeconfig', path: kubeconfigPath } as const;
    try {
      const { changes } = await runOnce({
        settings: {
          ...settings,
          inlineClusters: [{ name: 'tokyo', labels: {}, annotations: {}, connection }],
        },
        source,
        store,
        clock: systemClock,
        random: Math.random,
        signal: AbortSignal.timeout(60_000),
        onProgress: () => undefined,
        mode: 'sync',
        clusters: [],
        generators: [],
      });
      return changes;
    } finally {
      await source.close();
      store.close();
    }
  }

  it('gets everything, where drift is but reported, too: nobody has deleted anything there', async () => {
    await fleet.sync();
    expect(actionsOf(await syncElsewhere())).to.deep.equal([
      'create ConfigMap/settings',
      `create Namespace/${fleet.namespace}`,
    ]);
    expect(actionsOf(await syncElsewhere())).to.deep.equal([]);
  });
});
