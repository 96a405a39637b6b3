import type { DesiredObject } from '../../../../src/model/desired.ts';
import { nodeAt } from '../../../../src/model/snapshot.ts';
import { createRenderCache } from '../../../../src/render/render-cache.ts';
import { renderFiles } from '../../../../src/render/render-files.ts';
import { sortFaults } from '../../../../src/render/sort-faults.ts';
import { memorySnapshot } from '../memory-snapshot.ts';
import { templateDataOf } from './template-data.ts';

export type Files = Readonly<Record<string, string>>;

/** What the folder app/ of these files gives as templates. */
export async function renderTemplates(
  files: Files,
  data = templateDataOf(),
  cache = createRenderCache(),
): Promise<{ readonly objects: readonly DesiredObject[]; readonly faults: readonly string[] }> {
  const snapshot = memorySnapshot(files);
  const node = nodeAt(snapshot.tree, 'app');
  if (node === undefined) throw new Error('there is no app/');
  const { objects, faults } = await renderFiles(
    'template',
    {
      generator: 'web',
      path: 'app',
      node,
      type: 'template',
      namespace: 'default',
      data,
      capabilities: { kubeVersion: undefined, apiVersions: [] },
      helm: { releaseName: 'web', valuesFiles: [], values: {}, includeCRDs: true, hooks: 'skip' },
    },
    { snapshot, cache, renderers: {}, signal: AbortSignal.timeout(20_000) },
  );
  return { objects, faults: sortFaults(faults).map((fault) => fault.describe()) };
}
