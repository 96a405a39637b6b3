import { execFileSync } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder of programs that stand before those of the machine. */
export interface Programs {
  /** Our own environment with this folder first on PATH. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes a shell script under a program's name. `$real` in it is the machine's program of that name. */
  write(name: string, script: string): Promise<void>;
  /** The lines that scripts wrote to `$log`. */
  log(): Promise<string[]>;
}

export function programsIn(dir: string): Programs {
  const log = join(dir, 'log');
  return {
    environment: { ...process.env, PATH: `${dir}:${process.env['PATH'] ?? ''}` },
    async write(name, script) {
      const real = execFileSync('/bin/sh', ['-c', `command -v ${name} || true`], { encoding: 'utf8' }).trim();
      const path = join(dir, name);
      await writeFile(path, `#!/bin/sh\nlog='${log}'\nreal='${real}'\n${script}\n`);
      await chmod(path, 0o755);
    },
    async log() {
      const text = await readFile(log, 'utf8').catch(() => '');
      return text.split('\n').filter((line) => line !== '');
    },
  };
}
