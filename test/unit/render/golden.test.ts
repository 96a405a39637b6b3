import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect } from 'chai';
import { dump } from 'js-yaml';

import { clustersOfFile } from '../../../src/clusters/cluster-file.ts';
import { openWorkingCopy } from '../../../src/git/working-copy.ts';
import type { DesiredState } from '../../../src/model/desired.ts';
import { formatRef } from '../../../src/model/object-ref.ts';
import { formatOrigin } from '../../../src/model/origin.ts';
import { createRenderCache } from '../../../src/render/render-cache.ts';
import { renderCluster } from '../../../src/render/render-cluster.ts';
import { loadFleetRepository } from '../../../src/render/repository/load-fleet-repository.ts';
import { loadKubernetesSchemas } from '../../../src/render/validate/schema/load-kubernetes-schemas.ts';
import { validateRepository } from '../../../src/render/validate/validate-repository.ts';
import { renderFinding } from '../../../src/report/fault-lines.ts';

/**
 * A case is a folder with fleet/ (a fleet repository), registry.yaml (its clusters) and expected/: a file for each
 * cluster and faults.txt. To accept a change: UPDATE_GOLDEN=1 npx mocha test/unit/render/golden.test.ts, then read
 * the diff. The example fleet has a test of its own.
 */
const root = join(import.meta.dirname, '../../golden');
const cases = readdirSync(root).filter((name) => existsSync(join(root, name, 'registry.yaml')));

describe('the golden fleets', () => {
  for (const name of cases) {
    it(name, async () => {
      const folder = join(root, name);
      const output = await renderAll(folder);
      const expected = join(folder, 'expected');
      if (process.env['UPDATE_GOLDEN'] === '1') writeAll(expected, output);
      expect(readdirSync(expected).sort()).to.deep.equal([...output.keys()].sort());
      for (const [file, text] of output)
        expect(text, file).to.equal(readFileSync(join(expected, file), 'utf8'));
    });
  }
});

async function renderAll(folder: string): Promise<Map<string, string>> {
  const snapshot = await openWorkingCopy(join(folder, 'fleet')).poll(AbortSignal.timeout(10_000));
  const registry = clustersOfFile(readFileSync(join(folder, 'registry.yaml'), 'utf8'), {
    file: 'registry.yaml',
    homeDir: '/',
  });
  const clusters = registry.registrations.map(({ cluster }) => cluster);
  const options = {
    fleetName: 'golden',
    cache: createRenderCache(),
    signal: AbortSignal.timeout(20_000),
  };
  const repository = await loadFleetRepository(snapshot!, options.cache);
  const output = new Map<string, string>();
  for (const cluster of clusters)
    output.set(`${cluster.name}.yaml`, textOf(await renderCluster(repository, cluster, options)));
  const findings = await validateRepository(repository, clusters, {
    ...options,
    kubernetes: await loadKubernetesSchemas(options.signal),
    known: 'registered',
    areAll: true,
  });
  const lines = [
    ...registry.faults.map((fault) => `${fault.describe()}\n`),
    ...findings.map((finding) => renderFinding(finding, { color: false })),
  ];
  output.set('faults.txt', lines.join(''));
  return output;
}

function textOf({ objects, generators, labels, warnings }: DesiredState): string {
  const head = [
    `# labels: ${JSON.stringify(labels)}`,
    ...[...generators.values()].map(({ name, state }) => `# ${name}: ${state}`),
    ...warnings.map((warning) => `# warning: ${warning}`),
  ];
  const bodies = objects.map(({ ref, origin, defaultNamespace, manifest }) => {
    const comment = `# ${formatRef(ref)} (default namespace ${defaultNamespace}), from ${origin.generator}, ${formatOrigin(origin)}`;
    return `${comment}\n${dump(manifest, { noRefs: true, lineWidth: -1 })}`;
  });
  return [`${head.join('\n')}\n`, ...bodies].join('---\n');
}

function writeAll(folder: string, output: ReadonlyMap<string, string>): void {
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of output) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}
