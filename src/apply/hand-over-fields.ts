import type { KubeClient } from '../kube/kube-client.ts';
import type { ResourceInfo } from '../kube/discovery.ts';
import { getObject, patchObject } from '../kube/objects.ts';
import { FleetError, toFleetError } from '../model/fleet-error.ts';
import { handOverOf, indivisibleFault } from '../model/hand-over.ts';
import { type JsonObject, stringAt } from '../model/json.ts';
import type { PreparedObject } from '../model/plan.ts';

interface HandOverOptions {
  readonly client: KubeClient;
  readonly resource: ResourceInfo;
  readonly signal: AbortSignal;
}

/** Controllers write in bursts; each try reads what they wrote. */
const tries = 10;

/**
 * Gives fields to whom they should belong, where they do not: see handOverOf.
 * @param live the object as it was last seen.
 * @returns the object as it is afterwards; the one given where there was nothing to do.
 * @throws FleetError ApplyConflict where others never stopped writing or another object took its place,
 *   ManifestInvalid where the server takes such a field only together with others.
 */
export async function handOverFields(
  live: JsonObject,
  wish: PreparedObject,
  { client, resource, signal }: HandOverOptions,
): Promise<JsonObject> {
  let object = live;
  for (let left = tries; ; left -= 1) {
    const todo = handOverOf(object, wish);
    if (todo.kind === 'none') return object;
    if (todo.kind === 'indivisible') throw indivisibleFault(todo.path);
    try {
      return await patchObject(client, resource, wish.ref, { operations: todo.operations, signal });
    } catch (error) {
      if (left <= 1 || toFleetError(error).code !== 'ApplyConflict') throw error;
    }
    const now = await getObject(client, resource, wish.ref, signal);
    if (now === undefined || stringAt(now, 'metadata', 'uid') !== stringAt(live, 'metadata', 'uid'))
      throw new FleetError('ApplyConflict', 'it was deleted while its fields were handed over');
    object = now;
  }
}
