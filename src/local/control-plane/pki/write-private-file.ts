import { rename, writeFile } from 'node:fs/promises';

/** Writes a file that only its owner may read (0600), whole or not at all. */
export async function writePrivateFile(path: string, content: string): Promise<void> {
  const partial = `${path}.partial`;
  await writeFile(partial, content, { mode: 0o600 });
  await rename(partial, path);
}
