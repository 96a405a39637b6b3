import { expect } from 'chai';

import { createRenderCache } from '../../../src/render/render-cache.ts';
import { loadFleetRepository } from '../../../src/render/repository/load-fleet-repository.ts';
import { validateRepository } from '../../../src/render/validate-repository.ts';
import { configMap, generator } from './fleet.ts';
import { memorySnapshot } from './memory-snapshot.ts';

describe('validateRepository', () => {
  it('finds the faults of clusters, of folders of no cluster, and of sources that none matches, each once', async () => {
    const cache = createRenderCache();
    const snapshot = memorySnapshot({
      'generators/all.yaml': generator('all'),
      'generators/none.yaml': generator(
        'none',
        'clusterSelector: {matchLabels: {a: b}}, source: {path: apps/none}',
      ),
      'generators/per.yaml': generator(
        'per',
        'clusterSelector: {matchLabels: {a: b}}, source: {path: "apps/{{ cluster.name }}"}',
      ),
      'generators/typo.yaml': generator('typo', 'clusterSelector: {}, source: {path: a}, overides: []'),
      'apps/all/a.yaml': configMap('a', 'metadata: 3'),
      'apps/none/a.yaml': 'kind: 3\n',
      'clusters/east/a.yaml': configMap('a', 'b: ['),
    });
    const repository = await loadFleetRepository(snapshot, cache);
    const clusters = ['west', 'north'].map((name) => ({ name, labels: {}, annotations: {} }));
    const faults = await validateRepository(repository, clusters, {
      fleetName: 'acme',
      cache,
      signal: AbortSignal.timeout(20_000),
    });
    expect(
      faults.map(({ subject }) => `${subject.origin?.file ?? ''}:${subject.origin?.line ?? ''}`),
    ).to.deep.equal([
      'apps/all/a.yaml:4',
      'apps/none/a.yaml:1',
      'apps/none/a.yaml:1',
      'apps/none/a.yaml:1',
      'clusters/east/a.yaml:5',
      'generators/typo.yaml:4',
    ]);
  });
});
