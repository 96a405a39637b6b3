import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { dump } from 'js-yaml';

import { openWorkingCopy } from '../../src/git/working-copy.ts';
import type { DesiredObject, DesiredState } from '../../src/model/desired.ts';
import { formatRef } from '../../src/model/object-ref.ts';
import { formatOrigin } from '../../src/model/origin.ts';
import { createRenderCache } from '../../src/render/render-cache.ts';
import { renderCluster } from '../../src/render/render-cluster.ts';
import { loadKubernetesSchemas } from '../../src/render/validate/schema/load-kubernetes-schemas.ts';
import { validateRepository } from '../../src/render/validate/validate-repository.ts';
import { loadFleetRepository } from '../../src/render/repository/load-fleet-repository.ts';

const root = join(import.meta.dirname, '../..');
const golden = join(root, 'test/golden/fleet-repo-example');

/** The labels under which the demo registers the clusters. */
const clusters = {
  'shanghai-prod': { env: 'production', region: 'cn-east' },
  'beijing-staging': { env: 'staging', region: 'cn-north' },
  'hangzhou-edge': { env: 'edge', region: 'cn-east' },
};

describe('the example fleet', () => {
  for (const [name, labels] of Object.entries(clusters)) {
    it(`gives ${name} what test/golden has for it`, async () => {
      const file = join(golden, `${name}.yaml`);
      const text = toText(await desiredState(name, labels));
      // To accept a change: UPDATE_GOLDEN=1 npx mocha test/unit/fleet-repo-example.test.ts, then read the diff.
      if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text);
      expect(text).to.equal(readFileSync(file, 'utf8'));
    });

    it(`has no fault and no warning for ${name}`, async () => {
      const { faults, warnings } = await desiredState(name, labels);
      expect(faults.map((fault) => fault.describe())).to.deep.equal([]);
      expect(warnings).to.deep.equal([]);
    });
  }

  it('is what validate finds nothing in', async () => {
    const { repository, options } = await openExample();
    const registered = Object.entries(clusters).map(([name, labels]) => ({ name, labels, annotations: {} }));
    const kubernetes = await loadKubernetesSchemas(options.signal);
    const found = await validateRepository(repository, registered, {
      ...options,
      kubernetes,
      known: 'registered',
      areAll: true,
    });
    expect(found).to.deep.equal([]);
  });

  it('brings up the maintenance page where the label is, and nothing else changes', async () => {
    const labels = clusters['hangzhou-edge'];
    const before = await desiredState('hangzhou-edge', labels);
    const after = await desiredState('hangzhou-edge', { ...labels, maintenance: 'true' });
    const isNew = ({ origin }: DesiredObject): boolean => origin.generator === 'maintenance-page';
    expect(after.objects.filter(isNew).map(({ ref }) => `${ref.kind}/${ref.name}`)).to.have.members([
      'ConfigMap/maintenance-page',
      'Deployment/maintenance-page',
      'Service/maintenance-page',
    ]);
    expect(after.objects.filter((object) => !isNew(object))).to.deep.equal(before.objects);
  });
});

async function desiredState(name: string, labels: Readonly<Record<string, string>>): Promise<DesiredState> {
  const { repository, options } = await openExample();
  return renderCluster(repository, { name, labels, annotations: {} }, options);
}

async function openExample() {
  const source = openWorkingCopy(join(root, 'fleet-repo-example'));
  const snapshot = await source.poll(AbortSignal.timeout(10_000));
  const cache = createRenderCache();
  const repository = await loadFleetRepository(snapshot!, cache);
  const options = { fleetName: 'acme', cache, signal: AbortSignal.timeout(20_000) };
  return { repository, options };
}

/** Every object with where it comes from and where it goes. */
function toText({ objects }: DesiredState): string {
  return objects
    .map(({ ref, origin, defaultNamespace, manifest }) => {
      const from = `${origin.generator}, ${formatOrigin(origin)}`;
      return `# ${formatRef(ref)} (default namespace ${defaultNamespace}), from ${from}\n${dump(manifest, { noRefs: true, lineWidth: -1 })}`;
    })
    .join('---\n');
}
