import { spawn, type ChildProcess } from 'node:child_process';
import { type FileHandle, open } from 'node:fs/promises';
import { FleetError } from '../../model/fleet-error.ts';
import type { Command } from './component-name.ts';

/** How a process ended: by itself with a status, or by a signal. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A child that cannot outlive this process. */
export interface TetheredProcess {
  readonly pid: number;
  readonly exited: Promise<ProcessExit>;
  isRunning(): boolean;
  /** Sends a signal; does nothing once the process has ended. */
  send(signal: NodeJS.Signals): void;
}

export interface TetherOptions {
  readonly cwd: string;
  /** Standard output and error are appended to this file. */
  readonly logPath: string;
  /** The program's whole environment; this process's own unless given. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * The shell leaves a watcher behind, then becomes the program itself, so that the program keeps the shell's pid.
 * The watcher reads a pipe whose other end only our process holds: the kernel closes it however we end, SIGKILL
 * included, and then the watcher kills the program. It works for any program on any POSIX system.
 */
const tether = 'exec 3<&0 </dev/null; (read -r _ <&3; kill -KILL "$$") 2>/dev/null & exec "$@" 3<&-';

/**
 * Starts a program that is killed as soon as this process ends, however it ends.
 * It has its own session, so that a Ctrl-C in the terminal reaches only us and the stop is orderly.
 * @throws FleetError DependencyFailed when there is no shell or no such working directory.
 */
export async function spawnTethered(command: Command, options: TetherOptions): Promise<TetheredProcess> {
  const log = await open(options.logPath, 'a', 0o600);
  try {
    return await attach(spawnShell(command, options, log), command);
  } finally {
    await log.close();
  }
}

function spawnShell(command: Command, options: TetherOptions, log: FileHandle): ChildProcess {
  return spawn('/bin/sh', ['-c', tether, 'sh', command.path, ...command.args], {
    cwd: options.cwd,
    detached: true,
    stdio: ['pipe', log.fd, log.fd],
    ...(options.env === undefined ? {} : { env: options.env }),
  });
}

async function attach(child: ChildProcess, command: Command): Promise<TetheredProcess> {
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => {
      // Lets the watcher go; without this it would wait for our own end.
      child.stdin?.destroy();
      resolve({ code, signal });
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) => {
      reject(new FleetError('DependencyFailed', `cannot start ${command.path}: ${cause.message}`, { cause }));
    });
  });
  if (child.pid === undefined) throw new FleetError('Internal', `${command.path} started without a pid`);
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  const send = (signal: NodeJS.Signals): void => {
    if (isRunning()) child.kill(signal);
  };
  return { pid: child.pid, exited, isRunning, send };
}
