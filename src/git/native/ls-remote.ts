import { FleetError } from '../../model/fleet-error.ts';
import { inSeconds } from '../remote/network-fault.ts';
import { isOid, type RemoteRef } from '../remote/remote-refs.ts';
import type { RemoteListing } from '../remote/list-remote-refs.ts';
import { explainFailure } from './explain-failure.ts';
import type { NativeGit } from './native-git.ts';
import type { GitOutcome } from './run-git.ts';

export interface LsRemoteOptions {
  readonly url: string;
  readonly shown: string;
  readonly signal: AbortSignal;
  readonly silenceMs: number;
}

/**
 * The refs of these names, or all of them where none is named, as `git ls-remote` tells them.
 * @throws FleetError GitUnavailable | GitUnauthorized
 */
export async function lsRemote(
  git: NativeGit,
  names: readonly string[],
  { url, shown, signal, silenceMs }: LsRemoteOptions,
): Promise<RemoteListing> {
  // The target of an annotated tag is listed under a name of its own.
  const patterns = names.flatMap((name) => [name, `${name}^{}`]);
  const outcome = await git.run(['ls-remote', '--quiet', '--', url, ...patterns], {
    signal,
    silence: { firstMs: silenceMs, nextMs: silenceMs },
  });
  if (outcome.kind !== 'done') throw faultOf(outcome, shown);
  const refs = parseLsRemote(outcome.stdout);
  return { url, refs, objectFormat: refs[0]?.oid.length === 64 ? 'sha256' : 'sha1' };
}

/** Reads lines of '<oid> TAB <name>', a tag's target following it as '<oid> TAB <name>^{}'. */
export function parseLsRemote(text: string): RemoteRef[] {
  const refs: RemoteRef[] = [];
  for (const line of text.split('\n')) {
    const [oid = '', name = ''] = line.split('\t');
    if (!isOid(oid)) continue;
    const last = refs.at(-1);
    if (last !== undefined && name === `${last.name}^{}`) refs.splice(-1, 1, { ...last, peeled: oid });
    else refs.push({ name, oid });
  }
  return refs;
}

/** A command of git that did not end well, for one that no ref of its own can be missing to. */
export function faultOf(outcome: Exclude<GitOutcome, { kind: 'done' }>, shown: string): FleetError {
  switch (outcome.kind) {
    case 'missing':
      return new FleetError('GitUnavailable', 'git is no longer on PATH');
    case 'silent':
      return new FleetError('GitUnavailable', `${shown} ${silenceOf(outcome)}`);
    case 'failed': {
      const failure = explainFailure(outcome.stderr, shown);
      if ('error' in failure) return failure.error;
      return new FleetError('GitUnavailable', `${shown} could not be read`);
    }
  }
}

export function silenceOf({ afterMs, isFirst }: Extract<GitOutcome, { kind: 'silent' }>): string {
  return isFirst
    ? `did not answer within ${inSeconds(afterMs)}`
    : `fell silent for ${inSeconds(afterMs)} in the middle of its answer`;
}
