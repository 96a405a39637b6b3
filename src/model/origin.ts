/** Where in Git something comes from. Lines, columns and documents count from 1. */
export interface Origin {
  /** The generator's name, or 'clusters/<name>' for a cluster directory; a name can hold no slash, so the two never meet. */
  readonly generator: string;
  /** Path from the fleet's root in the repository. */
  readonly file: string;
  readonly document: number;
  readonly line: number;
  readonly column?: number;
}

/** 'apps/web/deployment.yaml:12' or with a column 'apps/web/deployment.yaml:12:5'. */
export function formatOrigin(origin: Pick<Origin, 'file' | 'line' | 'column'>): string {
  const column = origin.column === undefined ? '' : `:${origin.column}`;
  return `${origin.file}:${origin.line}${column}`;
}

/** The `generator` of objects that come from a cluster's own directory. */
export function clusterDirectoryOf(cluster: string): string {
  return `clusters/${cluster}`;
}

/** Whether a `generator` is a cluster's own directory. */
export function isClusterDirectory(generator: string): boolean {
  return generator.startsWith('clusters/');
}
