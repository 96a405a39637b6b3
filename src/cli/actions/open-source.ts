import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { GitSource } from '../../git/git-source.ts';
import { openGitSource } from '../../git/open-git-source.ts';
import { openWorkingCopy } from '../../git/working-copy.ts';
import type { FleetSettings } from '../../model/settings.ts';
import type { RevisionChoice } from '../actions.ts';
import type { Environment } from '../environment.ts';

/** The source that a command reads: the settings' own, another ref of it, or a folder on this machine. */
export function openSource(
  settings: FleetSettings | undefined,
  revision: RevisionChoice,
  { env }: Pick<Environment, 'env'>,
): GitSource {
  if (revision.kind === 'workingCopy') return openWorkingCopy(fleetRoot(revision.dir, settings));
  if (settings === undefined) throw new TypeError('without settings only a working copy can be read');
  const source = revision.kind === 'ref' ? { ...settings.source, ref: revision.ref } : settings.source;
  return openGitSource(source, { stateDir: settings.stateDir, environment: env });
}

/** A working copy may be given as the repository's root or as the fleet's folder in it. */
export function fleetRoot(dir: string, settings: FleetSettings | undefined): string {
  const inRepository = join(dir, settings?.source.path ?? '');
  return existsSync(inRepository) ? inRepository : dir;
}
