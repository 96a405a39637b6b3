import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { FleetError } from '../../model/fleet-error.ts';
import type { Command, ComponentName } from './component-name.ts';
import { spawnTethered, type TetheredProcess } from './tethered-process.ts';

/** One program of a control plane; it keeps its port and its data over every stop and start. */
export interface Component {
  readonly name: ComponentName;
  readonly logPath: string;
  readonly running: boolean;
  readonly pid: number | undefined;
  /** Resolves when it serves. Does nothing when it runs already. */
  start(signal?: AbortSignal): Promise<void>;
  /** Asks it to end (SIGTERM), and kills it when that takes longer than `graceMs` (2,000 by default). */
  stop(graceMs?: number): Promise<void>;
  /** Ends it at once (SIGKILL), as a crash would. */
  kill(): Promise<void>;
  /** stop, then start. */
  restart(signal?: AbortSignal): Promise<void>;
}

export interface ComponentSpec {
  readonly name: ComponentName;
  readonly command: Command;
  readonly cwd: string;
  readonly logPath: string;
  /** Runs before each start, such as to remove what a crash left behind. */
  readonly prepare?: () => Promise<void>;
  /** Whether it serves. Asked again and again until it does; it never throws. */
  readonly isReady: (signal: AbortSignal) => Promise<boolean>;
}

const startDeadlineMs = 90_000;
const probeIntervalMs = 40;
const defaultGraceMs = 2_000;

export function createComponent(spec: ComponentSpec): Component {
  let current: TetheredProcess | undefined;
  const running = (): boolean => current?.isRunning() ?? false;

  const stop = async (graceMs = defaultGraceMs): Promise<void> => {
    if (current === undefined) return;
    current.send(graceMs > 0 ? 'SIGTERM' : 'SIGKILL');
    const ended = new AbortController();
    const killer = sleep(graceMs, undefined, { signal: ended.signal }).then(
      () => current?.send('SIGKILL'),
      () => undefined,
    );
    await current.exited;
    ended.abort();
    await killer;
  };

  const start = async (signal: AbortSignal = new AbortController().signal): Promise<void> => {
    if (running()) return;
    await spec.prepare?.();
    signal.throwIfAborted();
    current = await spawnTethered(spec.command, { cwd: spec.cwd, logPath: spec.logPath });
    try {
      await waitUntilReady(spec, current, signal);
    } catch (error) {
      await stop(0);
      throw error;
    }
  };

  return {
    name: spec.name,
    logPath: spec.logPath,
    get running() {
      return running();
    },
    get pid() {
      return running() ? current?.pid : undefined;
    },
    start,
    stop,
    kill: () => stop(0),
    restart: async (signal) => {
      await stop();
      await start(signal);
    },
  };
}

async function waitUntilReady(spec: ComponentSpec, child: TetheredProcess, signal: AbortSignal): Promise<void> {
  const deadline = AbortSignal.timeout(startDeadlineMs);
  const either = AbortSignal.any([signal, deadline]);
  while (child.isRunning()) {
    if (await spec.isReady(either)) return;
    signal.throwIfAborted();
    if (deadline.aborted) {
      const tail = await logTail(spec.logPath);
      throw new FleetError('DeadlineExceeded', `${spec.name} was not ready after ${startDeadlineMs / 1000} s:\n${tail}`);
    }
    await Promise.race([child.exited, sleep(probeIntervalMs)]);
  }
  const { code, signal: by } = await child.exited;
  throw new FleetError(
    'DependencyFailed',
    `${spec.name} ended at its start (${by ?? `exit status ${String(code)}`}):\n${await logTail(spec.logPath)}`,
  );
}

/** The last lines of a log, for an error message. */
async function logTail(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-12).join('\n');
}
