import { isAbsolute, join, resolve } from 'node:path';

import type { DocumentContext } from '../parse-document.ts';

export interface PathContext extends DocumentContext {
  /** Relative paths start here: the folder of the file that names them. */
  readonly baseDir: string;
  /** What '~' stands for. */
  readonly homeDir: string;
}

/** An absolute path. */
export function resolvePath(
  path: string,
  { baseDir, homeDir }: Pick<PathContext, 'baseDir' | 'homeDir'>,
): string {
  if (path === '~') return homeDir;
  if (path.startsWith('~/')) return join(homeDir, path.slice(2));
  return isAbsolute(path) ? path : resolve(baseDir, path);
}
