import { access, constants, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** The first file of that name on a PATH that may be run; undefined when there is none. Relative entries do not count. */
export async function findExecutable(name: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter)) {
    // A relative entry, or an empty one, would run a program of whatever folder we happen to be in.
    if (!isAbsolute(folder)) continue;
    const file = join(folder, name);
    if (await isExecutable(file)) return file;
  }
  return undefined;
}

/** Whether there is a file that may be run. */
export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
