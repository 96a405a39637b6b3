import type { Finding } from '../../model/finding.ts';
import { compareText, groupOf } from '../../model/object-ref.ts';
import { nodeAt, type Snapshot, type TreeNode } from '../../model/snapshot.ts';
import { detectRenderer } from '../detect-renderer.ts';
import { listManifests } from '../manifests/manifest-tree.ts';
import { readManifestFile } from '../manifests/read-manifests.ts';
import type { RenderCache } from '../render-cache.ts';
import { studyChart } from '../renderers/helm/study-chart.ts';
import { findSources } from '../renderers/kustomize/find-sources.ts';
import type { Survey } from './survey-generator.ts';

/** Folders of the fleet that are no sources. */
const reserved = new Set(['clusters', 'generators']);

/** Every folder that holds something to be rendered and that no generator reads, the outermost of them alone. */
export async function unusedSources(
  surveys: readonly Survey[],
  { snapshot, cache }: { readonly snapshot: Snapshot; readonly cache: RenderCache },
): Promise<Finding[]> {
  const used = await usedPaths(surveys, snapshot);
  if (used.has('')) return [];
  const read = contentOf([...used, 'clusters'], snapshot);
  const unused: string[] = [];
  const visit = async (node: TreeNode, path: string): Promise<void> => {
    if (used.has(path) || read.has(node.oid)) return;
    const holdsUsed = [...used].some((each) => each.startsWith(`${path}/`));
    if (!holdsUsed) {
      if (await holdsSource(node, path, { snapshot, cache })) unused.push(path);
    } else if (node.kind === 'directory') {
      for (const [name, child] of node.children) if (!isHidden(name)) await visit(child, `${path}/${name}`);
    }
  };
  for (const [name, node] of snapshot.tree.children) {
    // Files at the root belong to tools around the repository.
    if (node.kind === 'directory' && !reserved.has(name) && !isHidden(name)) await visit(node, name);
  }
  return unused.sort(compareText).map((file) => ({
    severity: 'warning',
    code: 'SourceUnused',
    message: 'no generator reads it',
    place: { file },
  }));
}

function isHidden(name: string): boolean {
  return name.startsWith('.');
}

/** The ids of all that lies at or below the paths: what a link in them leads to has the same. */
function contentOf(paths: readonly string[], { tree }: Snapshot): ReadonlySet<string> {
  const ids = new Set<string>();
  const visit = (node: TreeNode): void => {
    if (ids.has(node.oid)) return;
    ids.add(node.oid);
    if (node.kind === 'directory') for (const child of node.children.values()) visit(child);
  };
  for (const path of paths) {
    const node = nodeAt(tree, path);
    if (node !== undefined) visit(node);
  }
  return ids;
}

/** What generators name, and what those kustomizations and charts are made of. */
async function usedPaths(surveys: readonly Survey[], snapshot: Snapshot): Promise<Set<string>> {
  const used = new Set<string>();
  for (const { entry, paths } of surveys) {
    const { name, render } = entry.generator;
    for (const path of paths) {
      used.add(path);
      const node = nodeAt(snapshot.tree, path);
      if (node?.kind !== 'directory') continue;
      const type = render.type === 'auto' ? detectRenderer(node, path).type : render.type;
      if (type === 'kustomize') {
        const { folders, charts } = await findSources(snapshot, path, name);
        for (const folder of [...folders, ...charts]) used.add(folder);
      } else if (type === 'helm') {
        for (const placement of (await studyChart(snapshot, path, name)).placements) used.add(placement.path);
      }
    }
  }
  return used;
}

/** Whether a folder or file holds a kustomization, a chart, or a manifest that is not one of our own kinds. */
async function holdsSource(
  node: TreeNode,
  path: string,
  { snapshot, cache }: { readonly snapshot: Snapshot; readonly cache: RenderCache },
): Promise<boolean> {
  if (node.kind === 'directory' && detectRenderer(node, path).type !== 'plain') return true;
  for (const entry of listManifests(node, path).files) {
    const { objects } = await readManifestFile(snapshot, entry, cache);
    if (objects.some(({ ref }) => groupOf(ref.apiVersion) !== 'fleetwright.dev')) return true;
  }
  return false;
}
