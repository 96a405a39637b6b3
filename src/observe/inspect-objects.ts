import pLimit from 'p-limit';

import type { KubeClient } from '../kube/kube-client.ts';
import { applyObject, getObject } from '../kube/objects.ts';
import type { ResolveResource } from '../kube/resolve-resource.ts';
import { toFleetError } from '../model/fleet-error.ts';
import { desiredHashAnnotation, partOfLabel } from '../model/apply-set.ts';
import { type JsonObject, stringAt } from '../model/json.ts';
import { bodyOver } from '../model/left-fields.ts';
import type { Observation } from '../model/observation.ts';
import type { PreparedObject } from '../model/plan.ts';
import { findExisting } from './find-existing.ts';

export interface InspectOptions {
  readonly client: KubeClient;
  readonly resolve: ResolveResource;
  /** False for a kind that only a definition still to be applied will bring: nothing of it can exist. */
  readonly isServed: (object: PreparedObject) => boolean;
  readonly applySetId: string;
  /**
   * all: ask the server what our apply would make of each object, created ones too, as a plan shows it.
   * undecided: only where that decides what to do: objects of others, drift that is not corrected, and objects that
   * look as Git wants them while nothing tells how we left them.
   */
  readonly dryRun: 'all' | 'undecided';
  /** How our last write left the object is known. */
  readonly hasBaseline: (object: PreparedObject) => boolean;
  readonly signal: AbortSignal;
  readonly concurrency?: number;
  readonly onProgress?: (done: number, total: number) => void;
}

const defaultConcurrency = 48;

/**
 * Finds out about the objects that metadata alone cannot settle.
 * @param suspect objects of ours in which something moved: each is read.
 * @param unseen objects that are not among ours: looked for, many of a kind with one list.
 * @returns an observation for each, by key. Never throws for one object: it is then unreadable.
 */
export async function inspectObjects(
  suspect: readonly PreparedObject[],
  unseen: readonly PreparedObject[],
  options: InspectOptions,
): Promise<Map<string, Observation>> {
  const observations = new Map<string, Observation>();
  const limit = pLimit(options.concurrency ?? defaultConcurrency);
  const served = unseen.filter((object) => options.isServed(object));
  for (const object of unseen)
    if (!options.isServed(object)) observations.set(object.key, { state: 'absent' });
  const found = await findExisting(served, options);
  for (const [key, observation] of found.settled) observations.set(key, observation);
  const toRead = [...suspect, ...found.existing];
  const toTry = options.dryRun === 'all' ? served.filter((object) => tryable(object, found.settled)) : [];
  let done = 0;
  const total = toRead.length + toTry.length;
  const record = async (object: PreparedObject, observe: Promise<Observation>): Promise<void> => {
    observations.set(object.key, await observe);
    options.onProgress?.((done += 1), total);
  };
  await Promise.all([
    ...toRead.map((object) => limit(() => record(object, readObject(object, options)))),
    ...toTry.map((object) => limit(() => record(object, tryCreation(object, options)))),
  ]);
  return observations;
}

/** A dry-run in a namespace that does not exist yet would only say so. */
function tryable(object: PreparedObject, settled: ReadonlyMap<string, Observation>): boolean {
  const namespace = settled.get(`Namespace//${object.ref.namespace}`);
  return settled.get(object.key)?.state === 'absent' && namespace?.state !== 'absent';
}

async function readObject(object: PreparedObject, options: InspectOptions): Promise<Observation> {
  const resource = options.resolve(object.ref);
  if (resource === undefined) return { state: 'unknownKind' };
  try {
    const live = await getObject(options.client, resource, object.ref, options.signal);
    if (live === undefined) return { state: 'absent' };
    if (!needsDryRun(object, live, options)) return { state: 'present', live };
    return await tryApply(object, live, options);
  } catch (thrown) {
    return { state: 'unreadable', error: toFleetError(thrown) };
  }
}

function needsDryRun(object: PreparedObject, live: JsonObject, options: InspectOptions): boolean {
  if (object.apply === 'create-only') return false;
  const ours = stringAt(live, 'metadata', 'labels', partOfLabel) === options.applySetId;
  // Without its memory an engine must not write what is as it should be: some kinds change with every apply.
  const looksApplied = stringAt(live, 'metadata', 'annotations', desiredHashAnnotation) === object.hash;
  const isForgotten = looksApplied && !options.hasBaseline(object);
  return options.dryRun === 'all' || !ours || object.drift !== 'correct' || isForgotten;
}

async function tryApply(
  object: PreparedObject,
  live: JsonObject,
  options: InspectOptions,
): Promise<Observation> {
  const resource = options.resolve(object.ref);
  if (resource === undefined) return { state: 'unknownKind' };
  try {
    const answer = await applyObject(options.client, resource, bodyOver(object, live), {
      force: true,
      dryRun: true,
      signal: options.signal,
    });
    return { state: 'present', live, merged: answer.object };
  } catch (thrown) {
    return { state: 'rejected', error: toFleetError(thrown), live };
  }
}

async function tryCreation(object: PreparedObject, options: InspectOptions): Promise<Observation> {
  const resource = options.resolve(object.ref);
  if (resource === undefined) return { state: 'unknownKind' };
  try {
    await applyObject(options.client, resource, object.body, {
      force: false,
      dryRun: true,
      signal: options.signal,
    });
    return { state: 'absent' };
  } catch (thrown) {
    return { state: 'rejected', error: toFleetError(thrown) };
  }
}
