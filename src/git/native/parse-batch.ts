import type { ObjectType } from '../objects/pack-file.ts';

/** One answer of `git cat-file --batch`. */
export type BatchAnswer =
  | {
      readonly kind: 'object';
      readonly type: ObjectType;
      /** `<type> <size>\0` and then the content: what the object's id is the hash of. */
      readonly hashed: Buffer;
      readonly bytes: Buffer;
    }
  | { readonly kind: 'missing' }
  /** Its content is passed over unread. */
  | { readonly kind: 'tooLarge'; readonly sizeBytes: number };

/** The object whose content is arriving. */
interface Arriving {
  readonly type: ObjectType;
  readonly sizeBytes: number;
  readonly hashed: Buffer | undefined;
  readonly headerBytes: number;
  /** Of the content and the newline behind it. */
  received: number;
}

const newline = 0x0a;
const maxHeadChars = 256;

/**
 * Takes the output of `git cat-file --batch` in pieces as they come: `<oid> <type> <size>\n<content>\n`, or
 * `<oid> missing\n`. The function that it returns takes the next piece, and throws an Error when that is no such output.
 */
export function createBatchParser(
  maxBytes: number,
  answered: (answer: BatchAnswer) => void,
): (piece: Buffer) => void {
  /** The beginning of a head whose end is still to come. */
  let head = '';
  let arriving: Arriving | undefined;

  function takeHead(piece: Buffer, at: number): number {
    const end = piece.indexOf(newline, at);
    const line = head + piece.toString('latin1', at, end < 0 ? piece.length : end);
    if (line.length > maxHeadChars) throw new Error('git answered with something else than objects');
    head = end < 0 ? line : '';
    if (end < 0) return piece.length;
    arriving = startOf(line, maxBytes);
    if (arriving === undefined) answered({ kind: 'missing' });
    return end + 1;
  }

  function takeContent(object: Arriving, piece: Buffer, at: number): number {
    const taken = Math.min(piece.length - at, object.sizeBytes + 1 - object.received);
    const content = Math.min(taken, object.sizeBytes - object.received);
    if (object.hashed !== undefined) {
      piece.copy(object.hashed, object.headerBytes + object.received, at, at + content);
    }
    object.received += taken;
    if (object.received > object.sizeBytes) {
      arriving = undefined;
      answered(answerOf(object));
    }
    return at + taken;
  }

  return (piece) => {
    let at = 0;
    while (at < piece.length) {
      at = arriving === undefined ? takeHead(piece, at) : takeContent(arriving, piece, at);
    }
  };
}

/** Undefined for an object that is missing. */
function startOf(line: string, maxBytes: number): Arriving | undefined {
  if (line.endsWith(' missing')) return undefined;
  const [, type, size] = /^[0-9a-f]+ (commit|tree|blob|tag) (\d+)$/.exec(line) ?? [];
  if (type === undefined) throw new Error('git answered with something else than objects');
  const sizeBytes = Number(size);
  const header = `${type} ${sizeBytes}\0`;
  const hashed = sizeBytes > maxBytes ? undefined : Buffer.allocUnsafe(header.length + sizeBytes);
  hashed?.write(header, 'latin1');
  // The expression above admits these four words only.
  return { type: type as ObjectType, sizeBytes, hashed, headerBytes: header.length, received: 0 };
}

function answerOf({ type, sizeBytes, hashed, headerBytes }: Arriving): BatchAnswer {
  if (hashed === undefined) return { kind: 'tooLarge', sizeBytes };
  return { kind: 'object', type, hashed, bytes: hashed.subarray(headerBytes) };
}
