import type { FleetError } from '../../model/fleet-error.ts';
import { type ActiveOverride, patchKey } from '../overrides/apply-overrides.ts';
import { describeTarget } from '../overrides/patch-target.ts';
import type { ValidEntry } from '../repository/fleet-repository.ts';
import { generatorFault } from './generator-fault.ts';

/**
 * Patches that were for no object at all. Of several items a patch may be for one alone: what counts is that it is of
 * use somewhere in the cluster. Only for what was read whole, since what a broken file holds is not known.
 */
export function faultsOfIdlePatches(
  entry: ValidEntry,
  parts: readonly { readonly overrides: readonly ActiveOverride[]; readonly used: ReadonlySet<string> }[],
): FleetError[] {
  const active = new Set(parts.flatMap(({ overrides }) => overrides.map(({ index }) => index)));
  return entry.generator.overrides.flatMap(({ patches }, index) =>
    patches.flatMap(({ target, optional }, position) => {
      const key = patchKey(index, position);
      if (optional || !active.has(index) || parts.some(({ used }) => used.has(key))) return [];
      const message = `no object of this source is ${describeTarget(target)}; set optional: true where that is meant`;
      const path = ['spec', 'overrides', index, 'patches', position, 'target'];
      return [generatorFault(entry, message, { path })];
    }),
  );
}
