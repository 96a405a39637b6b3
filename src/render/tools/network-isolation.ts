import { isExecutable } from './find-executable.ts';
import { runProgram } from './run-program.ts';

export type Command = readonly [string, ...string[]];

/** Runs a command with an empty network of its own, or as it is. */
export type Isolate = (command: Command) => Command;

const unshare = ['/usr/bin/unshare', '-r', '-n', '--'] as const;
const probeDeadlineMs = 10_000;

/**
 * Finds out whether Linux lets us start programs in a network namespace that holds nothing, not even a loopback that is
 * up. Containers often forbid it, and other systems have no such thing: then the environment alone keeps tools from the
 * network, and undefined says so.
 */
export async function findIsolation(
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Isolate | undefined> {
  const [program] = unshare;
  if (!(await isExecutable(program))) return undefined;
  const result = await runProgram({
    command: [...unshare, '/bin/sh', '-c', 'exit 0'],
    cwd: '/',
    env,
    deadlineMs: probeDeadlineMs,
    maxOutputBytes: 1024,
    signal,
  });
  return result.kind === 'done' ? (command) => [...unshare, ...command] : undefined;
}
