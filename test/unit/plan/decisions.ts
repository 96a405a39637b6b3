import type { DriftPolicy } from '../../../src/model/settings.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import type { Baseline, Observation } from '../../../src/model/observation.ts';
import type { PreparedObject } from '../../../src/model/plan.ts';
import type { DecideContext, Decision } from '../../../src/plan/decide/decision.ts';
import { prepareObjects } from '../../../src/plan/prepare-objects.ts';
import type { LiveObject } from './live-object.ts';
import { wanted, type WantedOptions } from './objects.ts';

export const applySetId = 'applyset-ours-v1';

/** A ConfigMap as Git wants it, ready to send. */
export function prepared(
  options: WantedOptions & { readonly drift?: DriftPolicy; readonly data?: JsonObject } = {},
): PreparedObject {
  const base = wanted('ConfigMap/web', options);
  const object = { ...base, manifest: { ...base.manifest, data: options.data ?? { a: '1', b: '2' } } };
  const desired = {
    cluster: 'berlin',
    revision: 'r1',
    objects: [object],
    generators: new Map(),
    faults: [],
    labels: {},
    warnings: [],
  };
  const { objects } = prepareObjects(desired, {
    applySetId,
    scopeOf: () => 'namespaced',
    driftPolicy: options.drift ?? 'correct',
  });
  return objects[0]!;
}

export interface Known {
  readonly baseline?: Baseline | undefined;
  readonly wasApplied?: boolean;
  readonly approved?: readonly string[];
}

export function context(known: Known = {}): DecideContext {
  return {
    cluster: 'berlin',
    applySetId,
    maskKey: 'key',
    isApproved: (id) => known.approved?.includes(id) ?? false,
    baseline: () => known.baseline,
    wasApplied: () => known.wasApplied ?? false,
  };
}

/** A live object, and what the dry-run of our apply makes of it: what Git wants, beside what others added. */
export function present(live: LiveObject, merged?: LiveObject): Observation {
  return { state: 'present', live: live.json, ...(merged === undefined ? {} : { merged: merged.json }) };
}

/** 'configure', 'skipped: drift is set to report', and so on, with the drift after a comma. */
export function say({ outcome, drift, proven }: Decision): string {
  const did = 'write' in outcome ? outcome.write : outcome.settled;
  const reason = did.action !== 'delete' && did.reason !== undefined ? ` (${did.reason})` : '';
  const found =
    drift === undefined
      ? []
      : [
          `${drift.kind} ${drift.action}${drift.fields.length === 0 ? '' : `: ${drift.fields.map(({ path }) => path).join(' ')}`}`,
        ];
  return [`${did.action}${reason}`, ...found, ...(proven === undefined ? [] : ['proven'])].join(', ');
}
