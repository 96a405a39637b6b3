import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { Socket } from 'node:net';
import { type GitObject, ObjectTooLarge } from '../objects/pack-file.ts';
import { type BatchAnswer, createBatchParser } from './parse-batch.ts';

/** Reads objects of one repository through one `git cat-file`, which is started when something is asked for. */
export interface ObjectReader {
  /**
   * The object, checked against its id; undefined when there is none.
   * @throws ObjectTooLarge; Error when the object is damaged or git stopped.
   */
  read(oid: string): Promise<GitObject | undefined>;
  close(): void;
}

export interface ObjectReaderOptions {
  readonly gitdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  /** Between two answers; beyond it git counts as stuck. */
  readonly stuckAfterMs?: number;
  /** A git that nobody asked anything for so long is ended. */
  readonly idleMs?: number;
}

interface Waiting {
  readonly oid: string;
  readonly resolve: (object: GitObject | undefined) => void;
  readonly reject: (error: Error) => void;
}

const defaultStuckAfterMs = 60_000;
const defaultIdleMs = 10_000;

export function createObjectReader(options: ObjectReaderOptions): ObjectReader {
  const { stuckAfterMs = defaultStuckAfterMs, idleMs = defaultIdleMs } = options;
  let session: Session | undefined;
  let queued: string[] = [];
  let timer: NodeJS.Timeout | undefined;

  function end(reason: string): void {
    clearTimeout(timer);
    session?.end(new Error(reason));
    session = undefined;
  }

  /** Armed anew at each answer: while something is waited for against a stuck git, else against an idle one. */
  function arm(current: Session): void {
    clearTimeout(timer);
    const isWaiting = current.waiting.size > 0;
    timer = setTimeout(
      () => {
        end(isWaiting ? `git did not answer within ${stuckAfterMs / 1000} s` : 'idle');
      },
      isWaiting ? stuckAfterMs : idleMs,
    );
    timer.unref();
  }

  function start(): Session {
    const started = startSession(options, {
      answered: () => {
        arm(started);
      },
      ended: () => {
        if (session === started) session = undefined;
      },
    });
    return started;
  }

  return {
    read(oid) {
      const current = (session ??= start());
      const reading = new Promise<GitObject | undefined>((resolve, reject) => {
        current.waiting.add({ oid, resolve, reject });
      });
      // What is asked for in one turn travels as one write.
      if (queued.length === 0) {
        setImmediate(() => {
          const oids = queued;
          queued = [];
          current.ask(oids);
          arm(current);
        });
      }
      queued.push(oid);
      return reading;
    },
    close() {
      end('the reader is closed');
    },
  };
}

interface Session {
  /** In the order in which they were asked, which is the order of the answers. */
  readonly waiting: Set<Waiting>;
  ask(oids: readonly string[]): void;
  end(reason: Error): void;
}

interface SessionEvents {
  readonly answered: () => void;
  readonly ended: () => void;
}

function startSession({ gitdir, env, maxBytes }: ObjectReaderOptions, events: SessionEvents): Session {
  const waiting = new Set<Waiting>();
  const child = spawn('git', [`--git-dir=${gitdir}`, 'cat-file', '--batch'], { env, cwd: gitdir });

  function end(reason: Error): void {
    child.kill('SIGKILL');
    for (const { reject } of waiting) reject(reason);
    waiting.clear();
    events.ended();
  }

  const parse = createBatchParser(maxBytes, (answer) => {
    const [next] = waiting;
    if (next === undefined) return;
    waiting.delete(next);
    settle(next, answer);
  });
  child.stdout.on('data', (piece: Buffer) => {
    try {
      parse(piece);
      events.answered();
      if (waiting.size === 0) letGo(child);
    } catch (error) {
      end(error instanceof Error ? error : new Error(String(error)));
    }
  });
  child.on('error', (error) => {
    end(new Error(`git cannot be started: ${error.message}`));
  });
  child.on('exit', () => {
    end(new Error('git stopped in the middle of its answer'));
  });
  // The exit tells why; and what git complains about tells nothing that the failed read does not.
  child.stdin.on('error', () => undefined);
  child.stderr.resume();
  letGo(child);

  return {
    waiting,
    ask(oids) {
      child.ref();
      child.stdin.write(oids.map((oid) => `${oid}\n`).join(''));
    },
    end,
  };
}

/** An idle git is no reason to keep the process alive. */
function letGo(child: ChildProcessWithoutNullStreams): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr])
    if (stream instanceof Socket) stream.unref();
}

function settle({ oid, resolve, reject }: Waiting, answer: BatchAnswer): void {
  switch (answer.kind) {
    case 'missing':
      resolve(undefined);
      return;
    case 'tooLarge':
      reject(new ObjectTooLarge(answer.sizeBytes));
      return;
    case 'object':
      if (hash(oid.length === 64 ? 'sha256' : 'sha1', answer.hashed) === oid) resolve(answer);
      else reject(new Error(`object ${oid} is damaged`));
  }
}
