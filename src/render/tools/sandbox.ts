import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { type Command, findIsolation } from './network-isolation.ts';
import { type ProgramResult, runProgram } from './run-program.ts';
import { toolEnvironment } from './tool-environment.ts';
import { openWorkFolder } from './work-folder.ts';

export interface SandboxLimits {
  readonly deadlineMs: number;
  /** Of standard output. */
  readonly maxOutputBytes: number;
}

/** Absolute paths of the throw-away folder of one run. */
export interface RunFolder {
  /** The program's working directory. */
  readonly tree: string;
  /** For files that are no part of the tree. */
  readonly extra: string;
}

/** Fills the folder and says what to run. */
export type Prepare = (folder: RunFolder) => Promise<Command>;

/** Where programs run that we do not trust with anything. */
export interface Sandbox {
  /** Whether programs have no network at all, or only no way to it that they would take by themselves. */
  readonly isolated: boolean;
  /** Runs one program; its folder is gone afterwards. @throws whatever `prepare` throws, and the signal's reason. */
  run(prepare: Prepare, signal: AbortSignal): Promise<ProgramResult>;
  close(): Promise<void>;
}

/** `tempDir` is where the throw-away folders are made. */
export async function openSandbox(
  tempDir: string,
  limits: SandboxLimits,
  signal: AbortSignal,
): Promise<Sandbox> {
  const isolate = await findIsolation(toolEnvironment({ home: '/nonexistent', temp: tempDir }), signal);
  const work = await openWorkFolder(tempDir);
  return {
    isolated: isolate !== undefined,
    run: (prepare, runSignal) =>
      work.withFolder(async (dir) => {
        const at = (name: string): string => join(dir, name);
        await Promise.all(['tree', 'extra', 'home', 'temp'].map((name) => mkdir(at(name))));
        const command = await prepare({ tree: at('tree'), extra: at('extra') });
        return await runProgram({
          command: isolate === undefined ? command : isolate(command),
          cwd: at('tree'),
          env: toolEnvironment({ home: at('home'), temp: at('temp') }),
          ...limits,
          signal: runSignal,
        });
      }),
    close: () => work.close(),
  };
}
