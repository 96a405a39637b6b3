import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { FleetError } from '../../model/fleet-error.ts';
import { NeedsNativeGit } from '../needs-native-git.ts';
import { openObjectDatabase } from '../objects/object-database.ts';
import { readTip, type Tip } from '../objects/read-tip.ts';
import { candidateNames, chooseRef } from '../remote/choose-ref.ts';
import { isOid, type RemoteRef } from '../remote/remote-refs.ts';
import type { Repository } from './repository.ts';

export interface LocalSetup {
  readonly kind: 'local';
  readonly path: string;
  readonly ref: string;
}

const maxSymbolicHops = 5;

/** A repository on this machine, read in place: its ref and its objects, never its work tree. */
export function openLocalRepository(setup: LocalSetup): Repository {
  const { gitdir, commonDir } = findGitDir(setup.path);
  refuseUnreadableFormats(setup.path, commonDir);
  const objects = openObjectDatabase(join(commonDir, 'objects'));
  let last: Tip | null = null;

  function lookUp(): Tip | null {
    if (isOid(setup.ref)) return readTip(objects, setup.ref);
    const refs = candidateNames(setup.ref).flatMap((name) =>
      readRef(name === 'HEAD' ? gitdir : commonDir, name, commonDir),
    );
    const chosen = chooseRef(setup.ref, refs);
    if (chosen !== undefined) return readTip(objects, chosen.commit);
    if (last === null && !hasRefs(commonDir)) return null;
    throw new FleetError('GitRefNotFound', `${setup.path} has no branch or tag '${setup.ref}'`);
  }

  return {
    sync() {
      try {
        last = lookUp();
        return Promise.resolve(last);
      } catch (error) {
        return Promise.reject(error instanceof FleetError ? error : unreadable(setup, error));
      }
    },
    lastKnown: () => last,
    read: (oid, { maxBytes }) => objects.read(oid, maxBytes),
    close() {
      objects.close();
    },
  };
}

/** The repository at a path: bare, a work tree's .git, or a linked work tree, whose objects lie in the main one. */
function findGitDir(path: string): { readonly gitdir: string; readonly commonDir: string } {
  const dotGit = join(path, '.git');
  const gitdir = !existsSync(dotGit)
    ? path
    : statSync(dotGit).isDirectory()
      ? dotGit
      : linkedGitDir(path, dotGit);
  const common = readText(join(gitdir, 'commondir'))?.trim();
  const commonDir = common === undefined ? gitdir : resolve(gitdir, common);
  if (!existsSync(join(commonDir, 'objects'))) {
    throw new FleetError('GitUnavailable', `there is no Git repository at ${path}`);
  }
  return { gitdir, commonDir };
}

function linkedGitDir(path: string, dotGit: string): string {
  const target = readText(dotGit)?.match(/^gitdir: (.*)$/m)?.[1] ?? dotGit;
  return isAbsolute(target) ? target : resolve(path, target);
}

function refuseUnreadableFormats(path: string, commonDir: string): void {
  const config = readText(join(commonDir, 'config')) ?? '';
  const format = /^\s*objectformat\s*=\s*sha256/im.test(config)
    ? 'SHA-256 object ids'
    : /^\s*refstorage\s*=\s*reftable/im.test(config)
      ? 'the reftable format'
      : undefined;
  if (format !== undefined) {
    throw new NeedsNativeGit(`${path} uses ${format}, which the embedded Git cannot read`);
  }
}

/** The ref as a list of none or one. A loose file wins over packed-refs, and 'ref: x' leads on to x. */
function readRef(dir: string, name: string, commonDir: string): readonly RemoteRef[] {
  let [from, current] = [dir, name];
  for (let hop = 0; hop < maxSymbolicHops; hop++) {
    const loose = readText(join(from, current))?.trim();
    const target = loose?.match(/^ref: (.+)$/)?.[1];
    if (target === undefined) {
      const oid = loose ?? readPackedRef(commonDir, current);
      return oid === undefined || !isOid(oid) ? [] : [{ name, oid }];
    }
    [from, current] = [commonDir, target];
  }
  return [];
}

function readPackedRef(commonDir: string, name: string): string | undefined {
  return readText(join(commonDir, 'packed-refs'))
    ?.split('\n')
    .find((line) => line.slice(41) === name)
    ?.slice(0, 40);
}

function hasRefs(commonDir: string): boolean {
  if (/^[0-9a-f]{40} /m.test(readText(join(commonDir, 'packed-refs')) ?? '')) return true;
  return readdirSync(join(commonDir, 'refs'), { recursive: true, withFileTypes: true }).some((entry) =>
    entry.isFile(),
  );
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined;
    throw error;
  }
}

function unreadable(setup: LocalSetup, error: unknown): FleetError {
  const reason = error instanceof Error ? error.message : String(error);
  return new FleetError('GitUnavailable', `${setup.path} cannot be read: ${reason}`);
}
