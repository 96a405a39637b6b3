import { type GitCluster, parseGitCluster } from '../../config/cluster-document.ts';
import { decodeText } from '../../config/yaml/decode-text.ts';
import { parseManifests } from '../../config/yaml/parse-manifests.ts';
import { FleetError } from '../../model/fleet-error.ts';
import { compareText } from '../../model/object-ref.ts';
import { clusterDirectoryOf } from '../../model/origin.ts';
import { nodeAt, type Snapshot, type TreeNode } from '../../model/snapshot.ts';
import type { ClusterDirectory } from './fleet-repository.ts';
import { listManifests } from '../manifests/manifest-tree.ts';
import { unreadableFile } from '../manifests/unreadable-file.ts';
import type { RenderCache } from '../render-cache.ts';

export interface LoadedDirectories {
  readonly directories: ReadonlyMap<string, ClusterDirectory>;
  readonly warnings: readonly string[];
}

/** Names that a cluster's own settings may have; one of them at most. */
export const clusterFileNames: readonly string[] = ['cluster.yaml', 'cluster.yml', 'cluster.json'];

/** Reads clusters/: which folders there are and what each cluster.yaml says. */
export async function loadClusterDirectories(
  snapshot: Snapshot,
  cache: RenderCache,
): Promise<LoadedDirectories> {
  const node = nodeAt(snapshot.tree, 'clusters');
  if (node?.kind !== 'directory') return { directories: new Map(), warnings: [] };
  const names = [...node.children.keys()].sort(compareText);
  const folders = names.filter((name) => node.children.get(name)?.kind !== 'file');
  const loaded = await Promise.all(
    folders.map((name) => cache.limit(() => loadDirectory(snapshot, name, node.children.get(name)))),
  );
  const stray = names.filter(
    (name) => !folders.includes(name) && listManifests({ kind: 'file', oid: '' }, name).files.length > 0,
  );
  return {
    directories: new Map(loaded.map((directory) => [directory.name, directory])),
    warnings: stray.map(
      (name) => `clusters/${name} is of no use: manifests belong in a cluster's folder, clusters/<name>/`,
    ),
  };
}

async function loadDirectory(
  snapshot: Snapshot,
  name: string,
  node: TreeNode | undefined,
): Promise<ClusterDirectory> {
  const path = clusterDirectoryOf(name);
  const base = { name, path, node: node ?? { kind: 'directory', oid: '', children: new Map() } } as const;
  const files = node?.kind === 'directory' ? clusterFileNames.filter((file) => node.children.has(file)) : [];
  const [file] = files;
  if (file === undefined) return { ...base, settings: nothing, faults: [] };
  if (files.length > 1) {
    return {
      ...base,
      faults: [faultOf(name, `${path}/${file}`, `${files.join(' and ')} are two files for one cluster`)],
    };
  }
  const read = await readClusterFile(snapshot, `${path}/${file}`, name);
  return { ...base, ...read };
}

const nothing: GitCluster = { labels: {}, annotations: {}, sync: {} };

async function readClusterFile(
  snapshot: Snapshot,
  file: string,
  cluster: string,
): Promise<Pick<ClusterDirectory, 'settings' | 'faults'>> {
  try {
    const decoded = decodeText(await snapshot.read(file));
    if (!decoded.ok) return { faults: [faultOf(cluster, file, decoded.message)] };
    return parseClusterText(decoded.text, file, cluster);
  } catch (error) {
    return { faults: [unreadableFile(error, { generator: clusterDirectoryOf(cluster), file })] };
  }
}

function parseClusterText(
  text: string,
  file: string,
  cluster: string,
): Pick<ClusterDirectory, 'settings' | 'faults'> {
  const parsed = parseManifests(text, {
    file,
    generator: clusterDirectoryOf(cluster),
    code: 'ConfigInvalid',
  });
  const [document, second] = parsed.documents;
  if (parsed.faults.length > 0) return { faults: parsed.faults };
  if (document === undefined)
    return { faults: [faultOf(cluster, file, 'the file holds no document of kind Cluster')] };
  if (second !== undefined)
    return {
      faults: [faultOf(cluster, file, 'the file must hold one document of kind Cluster', second.line)],
    };
  const result = parseGitCluster(document, { file, cluster });
  return result.ok ? { settings: result.value, faults: [] } : { faults: result.faults };
}

function faultOf(cluster: string, file: string, message: string, line = 1): FleetError {
  return new FleetError('ConfigInvalid', message, {
    origin: { generator: clusterDirectoryOf(cluster), file, document: 1, line },
  });
}
