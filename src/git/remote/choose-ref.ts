import { FleetError } from '../../model/fleet-error.ts';
import type { RemoteRef } from './remote-refs.ts';

/** A ref, and the commit it stands for. */
export interface ChosenRef {
  readonly name: string;
  /** What the ref itself names: the commit, or an annotated tag of it. */
  readonly oid: string;
  readonly commit: string;
}

/** The full names that source.ref may mean. A short one may be a branch or a tag, and both are looked at. */
export function candidateNames(ref: string): string[] {
  if (ref === 'HEAD' || ref.startsWith('refs/')) return [ref];
  return [`refs/heads/${ref}`, `refs/tags/${ref}`];
}

/**
 * The one ref that source.ref means; undefined when the repository has none such.
 * Tools disagree on whether a branch or a tag of the same name wins, so that a person has to say.
 * @throws FleetError GitRefNotFound when it could be two.
 */
export function chooseRef(ref: string, refs: readonly RemoteRef[]): ChosenRef | undefined {
  const names = candidateNames(ref);
  const found = refs.filter((candidate) => names.includes(candidate.name));
  if (found.length > 1) {
    throw new FleetError(
      'GitRefNotFound',
      `'${ref}' is both a branch and a tag: set source.ref to ${names.join(' or ')}`,
    );
  }
  const only = found[0];
  return only === undefined ? undefined : { name: only.name, oid: only.oid, commit: only.peeled ?? only.oid };
}
