import { expect } from 'chai';

import { fleetStatus, type StatusSource } from '../../../src/engine/fleet-status.ts';
import type { DesiredState, GeneratorState } from '../../../src/model/desired.ts';
import { wanted } from '../plan/objects.ts';

const metadata = { fleet: 'acme', revision: 'r1', generatedAt: '2026-05-01T12:00:00.000Z' };

function desired(
  states: Readonly<Record<string, GeneratorState>>,
  ...objects: readonly string[]
): DesiredState {
  const generators = new Map(
    Object.entries(states).map(([name, state]) => [name, { name, state, sync: {} }]),
  );
  return {
    cluster: 'x',
    revision: 'r1',
    objects: objects.map((generator, index) => wanted(`ConfigMap/cm-${index}`, { generator })),
    generators,
    faults: [],
    labels: { env: 'from Git' },
    warnings: [],
  };
}

function cluster(
  name: string,
  state?: DesiredState,
  memory?: StatusSource['clusters'][number]['memory'],
): StatusSource['clusters'][number] {
  const connection = { kind: 'kubeconfig', path: '/k' } as const;
  return {
    cluster: { name, labels: { env: 'registry' }, annotations: {}, connection },
    desired: state,
    memory,
  };
}

describe('the status of a fleet', () => {
  it('lists clusters by name, with what is remembered of each', () => {
    const memory = {
      state: 'unreachable',
      lastSeenAt: '2026-05-01T11:00:00.000Z',
      counts: { objects: 9, drifted: 1, held: 2, failed: 3 },
      message: 'no route',
    } as const;
    const { clusters } = fleetStatus({
      metadata,
      clusters: [cluster('paris', desired({}, 'web'), memory), cluster('berlin')],
    });
    expect(clusters).to.deep.equal([
      {
        name: 'berlin',
        state: 'unknown',
        labels: { env: 'registry' },
        objects: 0,
        drifted: 0,
        held: 0,
        failed: 0,
      },
      {
        name: 'paris',
        state: 'unreachable',
        labels: { env: 'from Git' },
        lastSeenAt: '2026-05-01T11:00:00.000Z',
        objects: 1,
        drifted: 1,
        held: 2,
        failed: 3,
        message: 'no route',
      },
    ]);
  });

  it('remembers how many objects a cluster had while nothing was rendered yet', () => {
    const counts = { objects: 9, drifted: 0, held: 0, failed: 0 };
    const { clusters } = fleetStatus({
      metadata,
      clusters: [cluster('paris', undefined, { state: 'reachable', counts })],
    });
    expect(clusters[0]?.objects).to.equal(9);
  });

  it('counts for each generator the clusters that it matches and the objects that it gives', () => {
    const { generators } = fleetStatus({
      metadata,
      clusters: [
        cluster('berlin', desired({ web: 'rendered', shop: 'unmatched' }, 'web', 'web')),
        cluster('paris', desired({ web: 'rendered', shop: 'failed' }, 'web', 'shop')),
        cluster('rome'),
      ],
    });
    expect(generators).to.deep.equal([
      { name: 'shop', clusters: 1, objects: 1 },
      { name: 'web', clusters: 2, objects: 3 },
    ]);
  });

  it('tells of the last fetch where there was one', () => {
    const lastFetch = { at: '2026-05-01T11:59:00.000Z' };
    expect(fleetStatus({ metadata, lastFetch, clusters: [] })).to.deep.equal({
      ...metadata,
      lastFetch,
      clusters: [],
      generators: [],
    });
    expect(fleetStatus({ metadata, clusters: [] })).to.not.have.property('lastFetch');
  });
});
