import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { applyDelta, deltaResultBytes, readVarint } from './apply-delta.ts';
import { type PackIndex, parsePackIndex } from './pack-index.ts';

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

export interface GitObject {
  readonly type: ObjectType;
  readonly bytes: Buffer;
}

/** Says that an object is larger than the reader allows; its size is known before it is unpacked. */
export class ObjectTooLarge extends Error {
  readonly sizeBytes: number;
  constructor(sizeBytes: number) {
    super(`an object of ${sizeBytes} bytes`);
    this.sizeBytes = sizeBytes;
  }
}

/** One pack and its index, read at random; the pack itself is never held in memory. */
export interface PackFile {
  /** The object, or undefined when this pack does not have it. @throws ObjectTooLarge, Error when damaged. */
  read(oid: string, maxBytes: number): GitObject | undefined;
  close(): void;
}

const plainTypes: Readonly<Record<number, ObjectType>> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' };
const offsetDelta = 6;
const refDelta = 7;

/** Git's own chains are at most 4,095 long; a longer one is a loop or an attack. */
const maxChain = 4095;

/** Neighbours in a delta chain are read one after another; keeping their bases saves most of the work. */
const baseCacheBytes = 16 * 1024 * 1024;

interface Entry {
  readonly kind: number;
  readonly sizeBytes: number;
  /** For a delta: where or what its base is. */
  readonly base?: number | string;
  readonly packed: Buffer;
}

interface Limits {
  readonly maxBytes: number;
  readonly depth: number;
}

/**
 * Opens `pack-….pack` beside its `.idx`. Reads are synchronous: they run in the Git worker, where nothing waits.
 * `outside` finds the base of a delta that lies in another pack.
 */
export function openPackFile(path: string, outside: (oid: string) => GitObject | undefined): PackFile {
  const file = openSync(path, 'r');
  let index: PackIndex;
  try {
    index = parsePackIndex(readFileSync(path.replace(/pack$/, 'idx')), fstatSync(file).size);
    if (countObjects(file) !== index.count)
      throw new Error('a pack holds not the objects that its index names');
  } catch (error) {
    closeSync(file);
    throw error;
  }
  const bases = new Map<number, GitObject>();
  let cachedBytes = 0;

  function readAt(offset: number, limits: Limits): GitObject {
    const known = bases.get(offset);
    if (known !== undefined && known.bytes.length <= limits.maxBytes) return known;
    const entry = readEntry(file, offset, index.endOf(offset));
    const plain = plainTypes[entry.kind];
    if (plain !== undefined) {
      if (entry.sizeBytes > limits.maxBytes) throw new ObjectTooLarge(entry.sizeBytes);
      return { type: plain, bytes: inflate(entry) };
    }
    const delta = inflate(entry);
    const resultBytes = deltaResultBytes(delta);
    if (resultBytes > limits.maxBytes) throw new ObjectTooLarge(resultBytes);
    const base = readBase(entry.base, limits.depth + 1);
    return { type: base.type, bytes: applyDelta(delta, base.bytes) };
  }

  function readBase(base: number | string | undefined, depth: number): GitObject {
    if (base === undefined || depth > maxChain) throw new Error('a delta has no base');
    const offset = typeof base === 'number' ? base : index.find(base);
    const found =
      offset === undefined
        ? outside(String(base))
        : readAt(offset, { maxBytes: Number.MAX_SAFE_INTEGER, depth });
    if (found === undefined) throw new Error(`the base ${base} of a delta is missing`);
    if (offset !== undefined && !bases.has(offset)) remember(offset, found);
    return found;
  }

  function remember(offset: number, object: GitObject): void {
    if (cachedBytes + object.bytes.length > baseCacheBytes) {
      bases.clear();
      cachedBytes = 0;
    }
    bases.set(offset, object);
    cachedBytes += object.bytes.length;
  }

  return {
    read(oid, maxBytes) {
      const offset = index.find(oid);
      return offset === undefined ? undefined : readAt(offset, { maxBytes, depth: 0 });
    },
    close() {
      closeSync(file);
    },
  };
}

/** What the pack's head says: 'PACK', version, count. An index of a pack that was cut off names fewer. */
function countObjects(file: number): number {
  const header = Buffer.alloc(12);
  readSync(file, header, 0, header.length, 0);
  return header.readUInt32BE(8);
}

/** An entry's head: type and size, then for a delta its base, then the deflated bytes. */
function readEntry(file: number, offset: number, end: number): Entry {
  const bytes = Buffer.allocUnsafe(Math.max(0, end - offset));
  const read = readSync(file, bytes, 0, bytes.length, offset);
  const first = bytes[0];
  if (read !== bytes.length || first === undefined) throw new Error('a pack ends early');
  const kind = (first >> 4) & 7;
  const size =
    (first & 0x80) === 0 ? { value: first & 0x0f, next: 1 } : sizeAfter(first & 0x0f, readVarint(bytes, 1));
  if (kind === offsetDelta) {
    const distance = readDistance(bytes, size.next);
    return {
      kind,
      sizeBytes: size.value,
      base: offset - distance.value,
      packed: bytes.subarray(distance.next),
    };
  }
  if (kind === refDelta) {
    const base = bytes.toString('hex', size.next, size.next + 20);
    return { kind, sizeBytes: size.value, base, packed: bytes.subarray(size.next + 20) };
  }
  return { kind, sizeBytes: size.value, packed: bytes.subarray(size.next) };
}

/** The first byte of an entry holds the four lowest bits of its size. */
function sizeAfter(lowest: number, rest: { value: number; next: number }): { value: number; next: number } {
  return { value: lowest + rest.value * 16, next: rest.next };
}

/** The distance back to a delta's base: big-endian base 128, each continuation adding one. */
function readDistance(bytes: Buffer, start: number): { value: number; next: number } {
  let at = start;
  let byte = bytes[at++] ?? 0;
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = bytes[at++] ?? 0;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next: at };
}

function inflate(entry: Entry): Buffer {
  const bytes = inflateSync(entry.packed, { maxOutputLength: Math.max(1, entry.sizeBytes) });
  if (bytes.length !== entry.sizeBytes) throw new Error('an object of a pack has the wrong length');
  return bytes;
}
