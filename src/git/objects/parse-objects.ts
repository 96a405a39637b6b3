/** One line of a tree object. Modes: 40000 directory, 120000 symlink, 160000 submodule, 100xxx file. */
export interface TreeEntry {
  readonly mode: string;
  readonly name: string;
  readonly oid: string;
}

/**
 * The entries of a tree object: `<mode> SP <name> NUL <id>` repeated; an id has 20 bytes, with SHA-256 32.
 * Names that could climb out of their folder are refused, as `git fsck` refuses them.
 * @throws Error when the bytes are no tree.
 */
export function parseTree(bytes: Uint8Array, idBytes = 20): TreeEntry[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: TreeEntry[] = [];
  let at = 0;
  while (at < buffer.length) {
    const space = buffer.indexOf(0x20, at);
    const nul = buffer.indexOf(0, space);
    if (space < 0 || nul < 0 || nul + 1 + idBytes > buffer.length)
      throw new Error('a tree object ends early');
    const name = buffer.toString('utf8', space + 1, nul);
    if (name === '' || name === '.' || name === '..' || name.includes('/')) {
      throw new Error(`a tree object has an entry named '${name}'`);
    }
    entries.push({
      mode: buffer.toString('latin1', at, space),
      name,
      oid: buffer.toString('hex', nul + 1, nul + 1 + idBytes),
    });
    at = nul + 1 + idBytes;
  }
  return entries;
}

export interface CommitHeader {
  readonly tree: string;
  readonly parents: readonly string[];
}

/** What a commit points to; undefined when the bytes are no commit. */
export function parseCommit(bytes: Uint8Array): CommitHeader | undefined {
  const lines = headerLines(bytes);
  const tree = lines[0]?.match(/^tree ([0-9a-f]{40})$/)?.[1];
  if (tree === undefined) return undefined;
  const parents = lines.flatMap((line) => line.match(/^parent ([0-9a-f]{40})$/)?.[1] ?? []);
  return { tree, parents };
}

/** The object that an annotated tag points to; undefined when the bytes are no tag. */
export function parseTagTarget(bytes: Uint8Array): string | undefined {
  return headerLines(bytes)[0]?.match(/^object ([0-9a-f]{40})$/)?.[1];
}

/** The lines before the first empty one: the message below may hold anything. */
function headerLines(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const end = text.indexOf('\n\n');
  return (end < 0 ? text : text.slice(0, end)).split('\n');
}
