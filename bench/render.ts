import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { type DesiredFleet, renderFleet } from '../src/engine/desired-fleet.ts';
import type { Snapshot } from '../src/model/snapshot.ts';
import { createRenderCache, type RenderCache } from '../src/render/render-cache.ts';
import { table } from './figures.ts';
import { fleetClusters, fleetFiles, type FleetFiles, serverFacts, snapshotOf } from './render-workload.ts';

/**
 * Renders a fleet of CLUSTERS clusters and GENERATORS generators: from nothing, again at a revision of equal content,
 * and at one where a commit touched one application. The files are in memory: what is measured is the rendering.
 */
export async function renderBench(args: readonly string[]): Promise<void> {
  const [clusterCount = 1_000, generatorCount = 20] = args.map(Number);
  const files = fleetFiles(clusterCount, generatorCount);
  const cache = createRenderCache();
  const render = renderer(clusterCount, cache);
  const rows = [['', 'seconds', 'renderings', 'heap MB', 'resident MB']];
  rows.push(['cold', ...(await render(files, 'first'))]);
  rows.push(['warm', ...(await render(files, 'second'))]);
  rows.push(['one application', ...(await render(edited(files, 'apps/app-000/1.yaml'), 'third'))]);
  rows.push(['one cluster', ...(await render(edited(files, 'clusters/cluster-00000/own.yaml'), 'fourth'))]);
  console.log(table(rows));
}

/** Otherwise the heap would be what happens not to be collected yet. */
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

type Render = (files: FleetFiles, revision: string) => Promise<string[]>;

/** Each rendering is held while the next one is made, as the engine does. */
function renderer(clusterCount: number, cache: RenderCache): Render {
  const clusters = fleetClusters(clusterCount);
  const servers = new Map(clusters.map(({ name }) => [name, serverFacts()]));
  let held: DesiredFleet | undefined;
  const signal = AbortSignal.timeout(600_000);
  const once = async (snapshot: Snapshot): Promise<DesiredFleet> =>
    renderFleet(snapshot, clusters, {
      fleetName: 'bench',
      cache,
      renderers: {},
      serverOf: (name) => servers.get(name),
      onProgress: () => undefined,
      signal,
    });
  const heapBefore = usedMegabytes().heap;
  return async (files, revision) => {
    const snapshot = snapshotOf(files, revision);
    const renderingsBefore = cache.counts.renderings;
    const start = performance.now();
    held = await once(snapshot);
    const seconds = (performance.now() - start) / 1_000;
    report(held);
    const { heap, resident } = usedMegabytes();
    return [
      seconds.toFixed(2),
      String(cache.counts.renderings - renderingsBefore),
      String(Math.round(heap - heapBefore)),
      String(Math.round(resident)),
    ];
  };
}

function report({ byCluster, faults }: DesiredFleet): void {
  const states = [...byCluster.values()];
  const objects = states.reduce((sum, state) => sum + state.objects.length, 0);
  const all = [...faults, ...states.flatMap((state) => state.faults)];
  console.error(`${states.length} clusters, ${objects} objects, ${all.length} faults`);
  if (all.length > 0) console.error(all[0]?.describe());
}

function edited(files: FleetFiles, path: string): FleetFiles {
  return new Map(files).set(path, `${files.get(path) ?? ''}# touched\n`);
}

function usedMegabytes(): { readonly heap: number; readonly resident: number } {
  collectGarbage();
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed / 1024 / 1024, resident: rss / 1024 / 1024 };
}
