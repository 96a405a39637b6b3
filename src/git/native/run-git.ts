import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

export interface GitRun {
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Carries the deadline, too. */
  readonly signal: AbortSignal;
  /** No file that git writes may become larger. */
  readonly maxFileBytes?: number;
  /** How long git may say nothing at all: until its first word, and from word to word. */
  readonly silence?: { readonly firstMs: number; readonly nextMs: number };
}

/** How git ended; of `stderr` the end is kept. */
export type GitOutcome =
  | { readonly kind: 'done'; readonly stdout: string }
  | { readonly kind: 'failed'; readonly stderr: string }
  /** There is no such program. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'silent'; readonly afterMs: number; readonly isFirst: boolean };

const maxStdoutBytes = 16 * 1024 * 1024;
const maxStderrChars = 16 * 1024;
const blockBytes = 512;
const commandNotFound = 127;

/**
 * The shell leaves a watcher behind and becomes git. The watcher reads a pipe whose other end is held by our process
 * alone; when it closes, be it that git is done, is too slow, or that we died, the whole process group is killed: git,
 * what it started, and the watcher itself.
 */
const tether =
  'test "$1" = 0 || ulimit -f "$1"; shift; exec 3<&0 </dev/null; ' +
  '(read -r _ <&3; kill -9 "-$$") >/dev/null 2>&1 & exec git "$@" 3<&-';

/**
 * Runs git to its end. Nothing that it started is left then, and nothing outlives us.
 * @throws the reason of `signal` when that aborts.
 */
export async function runGit(run: GitRun): Promise<GitOutcome> {
  run.signal.throwIfAborted();
  const blocks = Math.ceil((run.maxFileBytes ?? 0) / blockBytes);
  const child = spawn('/bin/sh', ['-c', tether, 'sh', String(blocks), ...run.args], {
    cwd: run.cwd,
    env: run.env,
    detached: true,
  });
  const end = (): void => {
    child.stdin.destroy();
    child.kill('SIGKILL');
  };
  const silence = watchSilence(child, run.silence, end);
  run.signal.addEventListener('abort', end, { once: true });
  try {
    const output = collect(child, end);
    const status = await statusOf(child);
    run.signal.throwIfAborted();
    const silent = silence.broken();
    if (silent !== undefined) return silent;
    if (status === 0) return { kind: 'done', stdout: output.stdout() };
    return status === commandNotFound ? { kind: 'missing' } : { kind: 'failed', stderr: output.stderr() };
  } finally {
    silence.stop();
    run.signal.removeEventListener('abort', end);
  }
}

/** Settles once git has ended and nothing holds its output any more. */
function statusOf(child: ChildProcessWithoutNullStreams): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', () => {
      resolve(commandNotFound);
    });
    child.once('exit', () => child.stdin.destroy());
    child.once('close', (status) => {
      resolve(status ?? 1);
    });
  });
}

interface Output {
  stdout(): string;
  stderr(): string;
}

function collect(child: ChildProcessWithoutNullStreams, end: () => void): Output {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxStdoutBytes) end();
    else chunks.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-maxStderrChars);
  });
  return { stdout: () => Buffer.concat(chunks).toString('utf8'), stderr: () => said };
}

interface SilenceWatch {
  broken(): Extract<GitOutcome, { kind: 'silent' }> | undefined;
  stop(): void;
}

function watchSilence(
  child: ChildProcessWithoutNullStreams,
  limits: GitRun['silence'],
  end: () => void,
): SilenceWatch {
  if (limits === undefined) return { broken: () => undefined, stop: () => undefined };
  let broken: Extract<GitOutcome, { kind: 'silent' }> | undefined;
  let isFirst = true;
  const arm = (afterMs: number): NodeJS.Timeout =>
    setTimeout(() => {
      broken = { kind: 'silent', afterMs, isFirst };
      end();
    }, afterMs);
  let timer = arm(limits.firstMs);
  const heard = (): void => {
    isFirst = false;
    clearTimeout(timer);
    timer = arm(limits.nextMs);
  };
  child.stdout.on('data', heard);
  child.stderr.on('data', heard);
  return {
    broken: () => broken,
    stop() {
      clearTimeout(timer);
    },
  };
}
