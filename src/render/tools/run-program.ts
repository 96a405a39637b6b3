import { type ChildProcess, spawn } from 'node:child_process';

export interface ProgramRun {
  /** Absolute paths and arguments; the first is the program. */
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly deadlineMs: number;
  /** Of standard output. */
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
}

/** How a program ended; `stderr` is cut to its first 64 KiB. */
export type ProgramResult =
  | { readonly kind: 'done'; readonly stdout: Uint8Array; readonly stderr: string }
  | { readonly kind: 'failed'; readonly status: number | string; readonly stderr: string }
  | { readonly kind: 'late' }
  | { readonly kind: 'tooMuch' }
  | { readonly kind: 'notStarted'; readonly message: string };

const maxErrorBytes = 64 * 1024;
/** Address space; Go programs ask for 1 to 2 GiB of it without using them. */
const maxMemoryKib = 4 * 1024 * 1024;
/** Of any file that it writes, in blocks of 512 bytes: 128 MiB. */
const maxFileBlocks = 256 * 1024;

/**
 * The shell leaves a watcher behind, then becomes the program itself. The watcher reads a pipe whose other end only our
 * process holds. When that end closes, because the program is done, took too long, or because we died ourselves, the
 * watcher kills the whole process group: whatever the program started ends with it.
 */
const tether =
  `ulimit -v ${maxMemoryKib} 2>/dev/null; ulimit -f ${maxFileBlocks} 2>/dev/null; ` +
  'exec 3<&0 </dev/null; (read -r _ <&3; kill -s KILL -- "-$$") >/dev/null 2>&1 & exec "$@" 3<&-';

/**
 * Runs a program to its end, within limits on time, memory and output. No process of its group is left when this
 * returns, and none outlives us.
 * @throws the reason of `signal` when that aborts
 */
export async function runProgram(run: ProgramRun): Promise<ProgramResult> {
  run.signal.throwIfAborted();
  const bounded = AbortSignal.any([run.signal, AbortSignal.timeout(run.deadlineMs)]);
  const child = spawn('/bin/sh', ['-c', tether, 'sh', ...run.command], {
    cwd: run.cwd,
    env: run.env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const end = (): void => {
    child.stdin.destroy();
    child.kill('SIGKILL');
  };
  bounded.addEventListener('abort', end, { once: true });
  try {
    const stdout = collect(child.stdout, run.maxOutputBytes, end);
    const stderr = collect(child.stderr, maxErrorBytes);
    const ended = await endOf(child);
    run.signal.throwIfAborted();
    if (bounded.aborted) return { kind: 'late' };
    if (ended.kind === 'notStarted') return ended;
    if (stdout.isCut()) return { kind: 'tooMuch' };
    const said = new TextDecoder().decode(stderr.bytes());
    return ended.status === 0
      ? { kind: 'done', stdout: stdout.bytes(), stderr: said }
      : { kind: 'failed', status: ended.status, stderr: said };
  } finally {
    bounded.removeEventListener('abort', end);
  }
}

type End =
  | { readonly kind: 'ended'; readonly status: number | string }
  | { readonly kind: 'notStarted'; readonly message: string };

/** Settles once the program has ended and nothing holds its output any more. */
function endOf(child: ChildProcess): Promise<End> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      resolve({ kind: 'notStarted', message: error.message });
    });
    // Lets the watcher end what the program left behind, which also closes the output.
    child.once('exit', () => child.stdin?.destroy());
    child.once('close', (code, signal) => {
      resolve({ kind: 'ended', status: code ?? signal ?? 'unknown' });
    });
  });
}

interface Collected {
  bytes(): Uint8Array;
  isCut(): boolean;
}

/** Keeps the first bytes of a stream and reads the rest to nowhere. */
function collect(stream: NodeJS.ReadableStream, maxBytes: number, onTooMuch?: () => void): Collected {
  const chunks: Buffer[] = [];
  let total = 0;
  stream.on('data', (chunk: Buffer) => {
    if (total < maxBytes) chunks.push(chunk.subarray(0, maxBytes - total));
    total += chunk.byteLength;
    if (total > maxBytes) onTooMuch?.();
  });
  return { bytes: () => Buffer.concat(chunks), isCut: () => total > maxBytes };
}
