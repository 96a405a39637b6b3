import type { ImportOptions } from './import-options.ts';
import type { Notes, Path } from './notes.ts';

const currentRevisions = new Set(['', 'HEAD', 'main', 'master', 'refs/heads/main', 'refs/heads/master']);

/** Says what is to be done about files that the foreign tool reads from a repository of its own choice. */
export function checkRepository(
  url: string | undefined,
  path: Path,
  { notes, options }: { readonly notes: Notes; readonly options: ImportOptions },
): void {
  if (url === undefined || url === '') return;
  if (options.repository !== undefined && sameRepository(url, options.repository)) return;
  if (url.includes('{{')) {
    notes.add('unsupported', path, {
      message:
        'a repository that is chosen by a template has no equal: every source is read from the fleet repository',
      remedy: 'Copy the files of each into a folder of the fleet repository and choose that by source.path.',
    });
  } else if (options.repository === undefined) {
    notes.addOnce('changed', path, {
      message: `sources are read from the fleet repository, at the same paths as in ${url}`,
      remedy: `If that is the fleet repository say so with --repo ${url}; otherwise copy the files into it.`,
    });
  } else {
    notes.addOnce('unsupported', path, {
      message: `${url} is another repository: every source is read from the fleet repository`,
      remedy: 'Copy the files into it, at the same paths.',
    });
  }
}

/** A fleet has one revision. */
export function checkRevision(revision: string | undefined, path: Path, notes: Notes): void {
  if (revision === undefined || currentRevisions.has(revision)) return;
  notes.add('unsupported', path, {
    message: `the revision ${revision} has no equal: a fleet follows one ref`,
    remedy: 'Keep what differs in folders of their own, or in overrides, and name the ref in the settings.',
  });
}

function sameRepository(a: string, b: string): boolean {
  return plainUrl(a) === plainUrl(b);
}

/** 'host/owner/name' of any way to write it: https, ssh, git@host:owner/name, with .git or without. */
function plainUrl(url: string): string {
  return url
    .replace(/^[a-z+]+:\/\//i, '')
    .replace(/^[^@/]+@/, '')
    .replace(/^([^/:]+):(?!\d+\/)/, '$1/')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .toLowerCase();
}
