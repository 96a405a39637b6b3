import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { type GitObject, ObjectTooLarge, openPackFile, type ObjectType, type PackFile } from './pack-file.ts';

/** The objects of one repository: loose, packed and borrowed from alternates. Read-only. */
export interface ObjectDatabase {
  /**
   * The object, checked against its id; undefined when there is none.
   * @throws ObjectTooLarge above maxBytes, Error when the object is damaged.
   */
  read(oid: string, maxBytes?: number): GitObject | undefined;
  close(): void;
}

const maxAlternates = 5;

/** Git knows the empty tree without storing it. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** Opens an `objects` folder. Packs that appear later are found when an object is missed. */
export function openObjectDatabase(objectsDir: string, alternatesLeft = maxAlternates): ObjectDatabase {
  const packs = new Map<string, PackFile>();
  let borrowed: ObjectDatabase[] | undefined;

  function scan(): boolean {
    const fresh = listNames(join(objectsDir, 'pack')).filter(
      (name) => /^pack-.*\.idx$/.test(name) && !packs.has(name),
    );
    for (const name of fresh) {
      packs.set(
        name,
        openPackFile(join(objectsDir, 'pack', name.replace(/idx$/, 'pack')), (oid) => find(oid)),
      );
    }
    return fresh.length > 0;
  }

  function inPacks(oid: string, maxBytes: number): GitObject | undefined {
    for (const pack of packs.values()) {
      const found = pack.read(oid, maxBytes);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function inAlternates(oid: string, maxBytes: number): GitObject | undefined {
    borrowed ??= listAlternates(objectsDir, alternatesLeft).map((dir) =>
      openObjectDatabase(dir, alternatesLeft - 1),
    );
    for (const database of borrowed) {
      const found = database.read(oid, maxBytes);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function find(oid: string, maxBytes = Number.MAX_SAFE_INTEGER): GitObject | undefined {
    return (
      inPacks(oid, maxBytes) ??
      readLoose(objectsDir, oid, maxBytes) ??
      (scan() ? inPacks(oid, maxBytes) : undefined) ??
      inAlternates(oid, maxBytes)
    );
  }

  return {
    read(oid, maxBytes) {
      if (oid === emptyTree) return { type: 'tree', bytes: Buffer.alloc(0) };
      const found = find(oid, maxBytes);
      if (found !== undefined && hashOf(found) !== oid) throw new Error(`object ${oid} is damaged`);
      return found;
    },
    close() {
      for (const pack of packs.values()) pack.close();
      for (const database of borrowed ?? []) database.close();
      packs.clear();
    },
  };
}

function readLoose(objectsDir: string, oid: string, maxBytes: number): GitObject | undefined {
  const packed = readIfThere(join(objectsDir, oid.slice(0, 2), oid.slice(2)));
  if (packed === undefined) return undefined;
  const bytes = inflateSync(packed);
  const end = bytes.indexOf(0);
  const header = /^(commit|tree|blob|tag) (\d+)$/.exec(bytes.toString('latin1', 0, Math.max(0, end)));
  if (header === null) throw new Error(`object ${oid} is damaged`);
  if (Number(header[2]) > maxBytes) throw new ObjectTooLarge(Number(header[2]));
  // The expression above admits these four words only.
  return { type: header[1] as ObjectType, bytes: bytes.subarray(end + 1) };
}

function hashOf(object: GitObject): string {
  return createHash('sha1')
    .update(`${object.type} ${object.bytes.length}\0`)
    .update(object.bytes)
    .digest('hex');
}

function listAlternates(objectsDir: string, alternatesLeft: number): string[] {
  if (alternatesLeft === 0) return [];
  const text = readIfThere(join(objectsDir, 'info', 'alternates'))?.toString('utf8') ?? '';
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => (isAbsolute(line) ? line : join(objectsDir, line)));
}

function listNames(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
