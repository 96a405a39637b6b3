import { expect } from 'chai';

import { clusterHealth, mostUnwell } from '../../../src/health/cluster-health.ts';
import { degraded, type Health, healthy, progressing, suspended } from '../../../src/model/health.ts';
import type { OwnedObject } from '../../../src/model/observation.ts';

function owned(name: string, health?: Health): OwnedObject {
  return {
    ref: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name },
    uid: name,
    resourceVersion: '1',
    generator: 'web',
    desiredHash: '',
    pruneDisabled: false,
    ownership: 'ours',
    additions: '',
    deleting: false,
    version: '1',
    ...(health === undefined ? {} : { health }),
  };
}

describe('clusterHealth', () => {
  it('is nothing where no health is known', () => {
    expect(clusterHealth([])).to.equal(undefined);
    expect(clusterHealth([owned('settings')])).to.equal(undefined);
  });

  it('counts what is known, and names what is not well, the worst first', () => {
    const objects = [
      owned('a', suspended('spec.paused is set')),
      owned('b', healthy),
      owned('c', progressing('0 of 1 replicas are available')),
      owned('d'),
      owned('e', degraded('it failed')),
      owned('f', healthy),
    ];
    const { counts, unwell } = clusterHealth(objects)!;
    expect(counts).to.deep.equal({ healthy: 2, progressing: 1, degraded: 1, suspended: 1 });
    expect(unwell.map(({ ref, state, reason }) => `${ref.name} ${state}: ${reason}`)).to.deep.equal([
      'e degraded: it failed',
      'c progressing: 0 of 1 replicas are available',
      'a suspended: spec.paused is set',
    ]);
    expect(clusterHealth(objects.toReversed())).to.deep.equal({ counts, unwell });
  });

  it('names no more than a reader can use, and counts all', () => {
    const objects = Array.from({ length: 1_000 }, (_, index) =>
      owned(`web-${index}`, progressing('it is new')),
    );
    const { counts, unwell } = clusterHealth(objects)!;
    expect(counts.progressing).to.equal(1_000);
    expect(unwell).to.have.length(mostUnwell);
  });
});
