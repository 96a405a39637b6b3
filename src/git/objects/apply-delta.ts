/** A little-endian base-128 number, as deltas and pack entries use it. */
export function readVarint(
  bytes: Uint8Array,
  start: number,
): { readonly value: number; readonly next: number } {
  let value = 0;
  let scale = 1;
  let at = start;
  for (;;) {
    const byte = bytes[at++];
    if (byte === undefined) throw new Error('a number ends early');
    value += (byte & 0x7f) * scale;
    if ((byte & 0x80) === 0) return { value, next: at };
    scale *= 128;
  }
}

/** How long the object is that a delta makes. */
export function deltaResultBytes(delta: Uint8Array): number {
  return readVarint(delta, readVarint(delta, 0).next).value;
}

/**
 * The object that a delta makes of its base: copies from the base and literal insertions.
 * Source: Documentation/gitformat-pack, "Deltified representation".
 * @throws Error when the delta does not fit the base.
 */
export function applyDelta(delta: Uint8Array, base: Uint8Array): Buffer {
  const baseSize = readVarint(delta, 0);
  const resultSize = readVarint(delta, baseSize.next);
  if (baseSize.value !== base.length) throw new Error('a delta does not fit its base');
  const result = Buffer.allocUnsafe(resultSize.value);
  let at = resultSize.next;
  let written = 0;
  while (at < delta.length) {
    const command = delta[at++] ?? 0;
    const copy =
      (command & 0x80) === 0 ? { from: at, size: command, next: at + command } : readCopy(delta, at);
    const source = (command & 0x80) === 0 ? delta : base;
    if (copy.size === 0 || copy.from + copy.size > source.length || written + copy.size > result.length) {
      throw new Error('a delta reaches beyond its base');
    }
    result.set(source.subarray(copy.from, copy.from + copy.size), written);
    written += copy.size;
    at = copy.next;
  }
  if (written !== result.length) throw new Error('a delta ends early');
  return result;
}

/** A copy command's bits say which bytes of its offset and size are present. */
function readCopy(delta: Uint8Array, start: number): { from: number; size: number; next: number } {
  const command = delta[start - 1] ?? 0;
  let at = start;
  let from = 0;
  let size = 0;
  for (let bit = 0; bit < 4; bit++) {
    if ((command & (1 << bit)) !== 0) from += (delta[at++] ?? 0) * 2 ** (8 * bit);
  }
  for (let bit = 0; bit < 3; bit++) {
    if ((command & (0x10 << bit)) !== 0) size += (delta[at++] ?? 0) * 2 ** (8 * bit);
  }
  return { from, size: size === 0 ? 0x10000 : size, next: at };
}
