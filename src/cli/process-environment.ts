import { homedir } from 'node:os';
import process from 'node:process';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { isatty } from 'node:tty';

import type { Environment, Output } from './environment.ts';

/** The environment of this very process. */
export function processEnvironment(): Environment {
  return {
    cwd: process.cwd(),
    homeDir: homedir(),
    env: process.env,
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    readStdin: async (signal) => buffer(addAbortSignal(signal, process.stdin)),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    now: () => new Date(),
    onSignal(handle) {
      process.on('SIGINT', handle);
      process.on('SIGTERM', handle);
      return () => {
        process.off('SIGINT', handle);
        process.off('SIGTERM', handle);
      };
    },
    exitNow(status) {
      process.exit(status);
    },
  };
}

function outputOf(stream: NodeJS.WriteStream & { readonly fd: number }): Output {
  let open = true;
  const isTerminal = isatty(stream.fd);
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    open = false;
  });
  return {
    write(text) {
      if (open) stream.write(text);
    },
    isTerminal,
    get columns() {
      // Some pseudo-terminals say 0 where nobody told them their size.
      return isTerminal && stream.columns > 0 ? stream.columns : undefined;
    },
  };
}

/** Waits until what was written has left, then ends with this status whatever is still open. */
export async function endProcess(status: number): Promise<void> {
  await Promise.all([process.stdout, process.stderr].map(flushed));
  process.exit(status);
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (!stream.writable) resolve();
    else
      stream.write('', () => {
        resolve();
      });
  });
}
