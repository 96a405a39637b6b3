import type { FleetError } from '../../model/fleet-error.ts';
import { type DirectoryNode, nodeAt, type Snapshot } from '../../model/snapshot.ts';

/** What a look at a source's files gives. */
export interface Study {
  /** Every folder that was looked at, so that an equal one gives the same. */
  readonly folders: readonly string[];
  readonly faults: readonly FleetError[];
}

interface Entry {
  readonly promise: Promise<Study>;
  /** Of the revision. */
  readonly treeOid: string;
  /** Of the folders, in their order, once they are known. */
  oids: readonly (string | undefined)[] | undefined;
}

/** Folders that did not change are the same objects in the next revision, so what is known of them stays known. */
const entriesOf = new WeakMap<DirectoryNode, Map<string, Entry>>();

/**
 * A look at a source's files that all clusters share, and all revisions in which those files are the same.
 * With a fault it holds for its own revision alone, since a commit elsewhere may bring what is missing; one that met a
 * fault of the machine holds for nobody else.
 */
export async function studyOnce<T extends Study>(
  { tree }: Snapshot,
  { folder, key }: { readonly folder: string; readonly key: string },
  study: () => Promise<T>,
): Promise<T> {
  const node = nodeAt(tree, folder);
  if (node?.kind !== 'directory') return await study();
  const entries = entriesOf.get(node) ?? new Map<string, Entry>();
  entriesOf.set(node, entries);
  const known = entries.get(key);
  // Each key belongs to one caller, whose type is T.
  if (known !== undefined && (await holds(known, tree))) return (await known.promise) as T;
  const promise = study();
  const entry: Entry = { promise, treeOid: tree.oid, oids: undefined };
  entries.set(key, entry);
  const { folders, faults } = await promise;
  entry.oids = folders.map((path) => nodeAt(tree, path)?.oid);
  if (faults.some(({ retry }) => retry !== 'never')) entries.delete(key);
  return await promise;
}

async function holds({ promise, treeOid, oids }: Entry, tree: DirectoryNode): Promise<boolean> {
  if (treeOid === tree.oid) return true;
  const { folders, faults } = await promise;
  return faults.length === 0 && folders.every((path, index) => nodeAt(tree, path)?.oid === oids?.[index]);
}
