import { defined } from '../model/defined.ts';
import type { DesiredState } from '../model/desired.ts';
import type { ReportMetadata } from '../model/report.ts';
import type { Cluster } from '../model/settings.ts';
import type { ClusterStatus, FleetStatus, GeneratorStatus } from '../model/status.ts';
import type { ClusterMemory } from '../store/state-store.ts';
import { compareText } from '../model/object-ref.ts';

export interface StatusSource {
  readonly metadata: ReportMetadata;
  readonly lastFetch?: FleetStatus['lastFetch'] & object;
  readonly clusters: readonly {
    readonly cluster: Cluster;
    readonly desired: DesiredState | undefined;
    readonly memory: ClusterMemory | undefined;
  }[];
}

/** Puts a fleet's status together from what Git gives and what is remembered of each cluster. Pure. */
export function fleetStatus({ metadata, lastFetch, clusters }: StatusSource): FleetStatus {
  const generators = new Map<string, { clusters: number; objects: number }>();
  for (const { desired } of clusters) {
    const given = Map.groupBy(desired?.objects ?? [], ({ origin }) => origin.generator);
    for (const { name, state } of desired?.generators.values() ?? []) {
      const before = generators.get(name) ?? { clusters: 0, objects: 0 };
      generators.set(name, {
        clusters: before.clusters + (state === 'unmatched' ? 0 : 1),
        objects: before.objects + (given.get(name)?.length ?? 0),
      });
    }
  }
  const listed: GeneratorStatus[] = [...generators].map(([name, counts]) => ({ name, ...counts }));
  return {
    ...metadata,
    ...(lastFetch === undefined ? {} : { lastFetch }),
    clusters: clusters.map(toClusterStatus).sort((a, b) => compareText(a.name, b.name)),
    generators: listed.sort((a, b) => compareText(a.name, b.name)),
  };
}

function toClusterStatus({ cluster, desired, memory }: StatusSource['clusters'][number]): ClusterStatus {
  const counts = memory?.counts ?? { objects: 0, drifted: 0, held: 0, failed: 0 };
  return defined({
    name: cluster.name,
    state: memory?.state ?? 'unknown',
    labels: desired?.labels ?? cluster.labels,
    lastSeenAt: memory?.lastSeenAt,
    revision: memory?.revision,
    lastSyncAt: memory?.lastSyncAt,
    ...counts,
    objects: desired?.objects.length ?? counts.objects,
    health: memory?.health,
    message: memory?.message,
  });
}
