import { createHash } from 'node:crypto';

/** Where each object of a pack lies. */
export interface PackIndex {
  readonly count: number;
  /** The offset of an object in the pack, or undefined. */
  find(oid: string): number | undefined;
  /** Where the object that starts at `offset` ends. */
  endOf(offset: number): number;
}

const headerBytes = 8;
const fanoutBytes = 256 * 4;
const trailerBytes = 40;

/**
 * Reads a version 2 pack index. It stays as bytes: 35,000 objects take 1 MB, not a Map of strings.
 * @throws Error when the bytes are damaged or of another version.
 */
export function parsePackIndex(bytes: Buffer, packBytes: number): PackIndex {
  verifyIndex(bytes);
  const count = bytes.readUInt32BE(headerBytes + 255 * 4);
  const names = headerBytes + fanoutBytes;
  const offsets = names + count * 24;
  const largeOffsets = offsets + count * 4;
  if (largeOffsets + trailerBytes > bytes.length) throw new Error('a pack index ends early');

  const offsetAt = (position: number): number => {
    const small = bytes.readUInt32BE(offsets + position * 4);
    if (small < 0x80000000) return small;
    return Number(bytes.readBigUInt64BE(largeOffsets + (small - 0x80000000) * 8));
  };
  const starts = Float64Array.from({ length: count }, (_, position) => offsetAt(position)).sort();

  return {
    count,
    find(oid) {
      const wanted = Buffer.from(oid, 'hex');
      const first = wanted[0];
      if (first === undefined) return undefined;
      let low = first === 0 ? 0 : bytes.readUInt32BE(headerBytes + (first - 1) * 4);
      let high = bytes.readUInt32BE(headerBytes + first * 4);
      while (low < high) {
        const middle = (low + high) >>> 1;
        const at = names + middle * 20;
        const order = wanted.compare(bytes, at, at + 20);
        if (order === 0) return offsetAt(middle);
        if (order < 0) high = middle;
        else low = middle + 1;
      }
      return undefined;
    },
    endOf(offset) {
      return starts[firstAbove(starts, offset)] ?? packBytes - 20;
    },
  };
}

function verifyIndex(bytes: Buffer): void {
  if (bytes.length < headerBytes + fanoutBytes + trailerBytes) throw new Error('a pack index ends early');
  if (bytes.readUInt32BE(0) !== 0xff744f63 || bytes.readUInt32BE(4) !== 2) {
    throw new Error('a pack index is not of version 2');
  }
  const sum = createHash('sha1').update(bytes.subarray(0, -20)).digest();
  if (!sum.equals(bytes.subarray(-20))) throw new Error('a pack index is damaged');
}

/** Position of the first value above `limit` in ascending values. */
function firstAbove(values: Float64Array, limit: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
