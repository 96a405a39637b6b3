import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { UsageError } from './usage-error.ts';

export interface WriteGeneratorsOptions {
  /** Overwrite files that are there. */
  readonly force: boolean;
  readonly signal: AbortSignal;
}

/**
 * Writes files into a folder, all or none of them.
 * @throws UsageError before anything is written, when one is there already and is not to be overwritten.
 */
export async function writeGenerators(
  folder: string,
  files: ReadonlyMap<string, string>,
  { force, signal }: WriteGeneratorsOptions,
): Promise<void> {
  const there = await existingOf(folder, [...files.keys()]);
  if (there.length > 0 && !force) {
    throw new UsageError(
      `These files in ${folder} are there already; nothing was written. With --force they are overwritten:\n  ${there.join('\n  ')}`,
    );
  }
  await mkdir(folder, { recursive: true });
  for (const [name, text] of files) await writeFile(join(folder, name), text, { signal });
}

async function existingOf(folder: string, names: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    names.map(async (name) =>
      stat(join(folder, name)).then(
        () => [name],
        () => [],
      ),
    ),
  );
  return found.flat();
}
