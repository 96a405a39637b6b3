import { expect } from 'chai';

import { degraded, healthy, progressing } from '../../../src/model/health.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import { OwnedStore } from '../../../src/observe/owned-store.ts';
import { healthReading, metadataReading } from '../../../src/observe/reading.ts';

const as = { apiVersion: 'apps/v1', kind: 'Deployment' };

function deployment(available: number, more: JsonObject = {}): JsonObject {
  return {
    metadata: { namespace: 'shop', name: 'web', generation: 1, ...more },
    spec: { replicas: 2 },
    status: { observedGeneration: 1, replicas: 2, updatedReplicas: 2, availableReplicas: available },
  };
}

describe('the health of an owned object', () => {
  it('is read by its kind, also from an item of a list that does not say it', () => {
    expect(healthReading.reduce(deployment(2), as).health).to.equal(healthy);
    expect(healthReading.reduce(deployment(1), as).health).to.deep.equal(
      progressing('1 of 2 replicas are available'),
    );
    expect(metadataReading.reduce(deployment(1), as)).not.to.have.property('health');
  });

  it('is news of its own where nothing else changed', () => {
    const store = new OwnedStore();
    const read = (object: JsonObject): ReturnType<OwnedStore['put']> =>
      store.put(healthReading.reduce(object, as));
    expect(read(deployment(0))).not.to.have.property('only');
    expect(read(deployment(1))).to.deep.include({ only: 'health' });
    expect(read(deployment(1))).to.equal(undefined);
    expect(read(deployment(2))).to.deep.include({ only: 'health' });
    const marked = { annotations: { 'fleetwright.dev/generator': 'other' } };
    expect(read(deployment(0, marked))).not.to.have.property('only');
  });

  it('is news in its reason, too', () => {
    const store = new OwnedStore();
    const base = metadataReading.reduce(deployment(0), as);
    store.put({ ...base, health: progressing('a') });
    expect(store.put({ ...base, health: progressing('b') })?.after?.health).to.deep.equal(progressing('b'));
    expect(store.put({ ...base, health: degraded('b') })?.after?.health).to.deep.equal(degraded('b'));
    expect(store.put({ ...base, health: degraded('b') })).to.equal(undefined);
  });
});
