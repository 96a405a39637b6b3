import type { TreeNode } from '../model/snapshot.ts';
import { compareText } from '../model/object-ref.ts';

export type DetectedRenderer =
  | { readonly type: 'plain' | 'kustomize' | 'helm' }
  /** `file` is the one that says it. */
  | { readonly type: 'unclear'; readonly file: string; readonly message: string };

const markerNames = new Map([
  ['kustomization.yaml', 'kustomize'],
  ['kustomization.yml', 'kustomize'],
  ['Kustomization', 'kustomize'],
  ['Chart.yaml', 'helm'],
] as const);

/** What a source is made for, as its files tell: a folder's own kustomization or chart; anything else is plain. */
export function detectRenderer(node: TreeNode, path: string): DetectedRenderer {
  const markers = findMarkers(node, path);
  const own = markers.filter(({ isOwn }) => isOwn);
  const [first] = own.length > 0 ? own : markers;
  if (first === undefined) return { type: 'plain' };
  if (own.length === 0) {
    const message = `this folder in the source is made for ${first.type}; name it in source.path, or set render.type: plain to read its files as they are`;
    return { type: 'unclear', file: first.file, message };
  }
  const other = own.find(({ type }) => type !== first.type);
  if (other === undefined) return { type: first.type };
  const message = `the source is made for ${other.type}, and ${first.file} makes it one for ${first.type}; set render.type`;
  return { type: 'unclear', file: other.file, message };
}

interface Marker {
  readonly file: string;
  readonly type: 'kustomize' | 'helm';
  /** It lies in the source's folder itself. */
  readonly isOwn: boolean;
}

function findMarkers(node: TreeNode, path: string): Marker[] {
  const markers: Marker[] = [];
  const visit = (current: TreeNode, at: string, depth: number): void => {
    if (current.kind !== 'directory') return;
    for (const [name, child] of current.children) {
      const file = at === '' ? name : `${at}/${name}`;
      const type = child.kind === 'file' ? markerTypeOf(name) : undefined;
      if (type !== undefined) markers.push({ file, type, isOwn: depth === 0 });
      visit(child, file, depth + 1);
    }
  };
  visit(node, path, 0);
  return markers.sort((a, b) => compareText(a.file, b.file));
}

function markerTypeOf(name: string): 'kustomize' | 'helm' | undefined {
  return (markerNames as ReadonlyMap<string, 'kustomize' | 'helm'>).get(name);
}
