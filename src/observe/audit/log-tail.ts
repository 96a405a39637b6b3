import { access, constants, type FileHandle, open, stat } from 'node:fs/promises';

import { notAFile } from './audit-fault.ts';

export interface TailLimits {
  /** Of what was appended since the last read, no more than the last so many bytes are read. */
  readonly maxBytes: number;
  /** A longer line is left out. */
  readonly maxLineBytes: number;
}

const defaultLimits: TailLimits = { maxBytes: 32 * 1024 * 1024, maxLineBytes: 4 * 1024 * 1024 };
const chunkBytes = 256 * 1024;
const newline = 0x0a;

/**
 * Follows a file that others append lines to. It is held open, so that the end of a file that was renamed away is
 * read before the new one is begun. One read at a time.
 */
export class LogTail {
  readonly #path: string;
  readonly #limits: TailLimits;
  #file: FileHandle | undefined;
  /** Where the first line begins that has not been handed out. */
  #offset = 0;
  /** `#offset` is in the midst of a line, of which nothing is wanted. */
  #inLine = false;

  constructor(path: string, limits: Partial<TailLimits> = {}) {
    this.#path = path;
    this.#limits = { ...defaultLimits, ...limits };
  }

  /**
   * Hands out every whole line that was appended since the last read, in order. Called off, it goes on there next time.
   * @throws the file system's error where the file cannot be read; the signal's reason between two pieces of the file.
   */
  async read(onLine: (line: string) => void, signal: AbortSignal): Promise<void> {
    if (this.#file !== undefined) {
      await this.#readRest(this.#file, onLine, signal);
      if (!(await this.#isReplaced(this.#file))) return;
      await this.close();
    }
    await this.check();
    this.#file = await open(this.#path, 'r');
    await this.#readRest(this.#file, onLine, signal);
  }

  /** @throws the file system's error where the file could not be read. */
  async check(): Promise<void> {
    // To open a pipe would wait for its writer, for ever if need be.
    if (!(await stat(this.#path)).isFile()) throw Object.assign(new Error('no file'), { code: notAFile });
    await access(this.#path, constants.R_OK);
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    this.#offset = 0;
    this.#inLine = false;
    await file?.close();
  }

  /** Whether the path leads to another file now. One that leads nowhere for a moment may still be written to. */
  async #isReplaced(file: FileHandle): Promise<boolean> {
    const held = await file.stat();
    const named = await stat(this.#path).catch(() => undefined);
    return named !== undefined && (named.ino !== held.ino || named.dev !== held.dev);
  }

  async #readRest(file: FileHandle, onLine: (line: string) => void, signal: AbortSignal): Promise<void> {
    // What is appended from now on is for the next read: a file may grow as fast as it is read.
    const { size } = await file.stat();
    if (size < this.#offset) this.#jumpTo(0);
    if (size - this.#offset > this.#limits.maxBytes) this.#jumpTo(size - this.#limits.maxBytes);
    let rest = Buffer.alloc(0);
    for (let at = this.#offset; at < size;) {
      signal.throwIfAborted();
      const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, size - at));
      const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
      // Cut short meanwhile: the next read sees it.
      if (bytesRead === 0) return;
      at += bytesRead;
      rest = this.#handOut(Buffer.concat([rest, chunk.subarray(0, bytesRead)]), onLine);
    }
  }

  /** Hands out the whole lines of a piece. @returns the beginning of a line that is left. */
  #handOut(piece: Buffer, onLine: (line: string) => void): Buffer<ArrayBuffer> {
    const end = piece.lastIndexOf(newline) + 1;
    if (end > 0) {
      const lines = piece
        .toString('utf8', 0, end)
        .split('\n')
        .slice(this.#inLine ? 1 : 0, -1);
      this.#offset += end;
      this.#inLine = false;
      for (const line of lines) if (line.length <= this.#limits.maxLineBytes) onLine(line);
    }
    const rest = Buffer.from(piece.subarray(end));
    if (!this.#inLine && rest.length <= this.#limits.maxLineBytes) return rest;
    this.#offset += rest.length;
    this.#inLine = rest.length > 0 || this.#inLine;
    return Buffer.alloc(0);
  }

  #jumpTo(offset: number): void {
    this.#offset = offset;
    this.#inLine = offset > 0;
  }
}
