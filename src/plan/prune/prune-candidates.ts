import type { OwnedObject } from '../../model/observation.ts';
import { refKey } from '../../model/object-ref.ts';
import type { Preparation } from '../prepare-objects.ts';

export interface CandidatesInput {
  readonly owned: readonly OwnedObject[];
  readonly preparation: Pick<Preparation, 'wanted'>;
  /** Consider what these generators brought and nothing else; all when undefined. */
  readonly generators?: ReadonlySet<string>;
}

/**
 * Owned objects that this desired state does not have, under whatever version: what might be pruned.
 * An object that the API server shows under two groups is one object: its uid tells.
 */
export function pruneCandidates({ owned, preparation, generators }: CandidatesInput): OwnedObject[] {
  const isWanted = ({ ref }: OwnedObject): boolean => preparation.wanted.has(refKey(ref));
  const wantedUids = new Set(owned.filter(isWanted).map(({ uid }) => uid));
  return owned.filter(
    (object) =>
      !isWanted(object) && !wantedUids.has(object.uid) && (generators?.has(object.generator) ?? true),
  );
}
