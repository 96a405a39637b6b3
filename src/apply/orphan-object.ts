import type { ResourceInfo } from '../kube/discovery.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import { getObject, patchObject } from '../kube/objects.ts';
import { toFleetError } from '../model/fleet-error.ts';
import { stringAt } from '../model/json.ts';
import type { OwnedObject } from '../model/observation.ts';
import { orphanPatch } from '../model/orphan.ts';

interface OrphanOptions {
  readonly client: KubeClient;
  readonly resource: ResourceInfo;
  readonly signal: AbortSignal;
}

/** Controllers write in bursts; each try reads what they wrote. */
const tries = 10;

/**
 * Takes our marks off the object that has this uid and leaves it as it is otherwise.
 * 'gone': nothing of that name is there; 'replaced': another object of that name is, and was left alone.
 */
export async function orphanObject(
  { ref, uid }: OwnedObject,
  { client, resource, signal }: OrphanOptions,
): Promise<'orphaned' | 'gone' | 'replaced'> {
  for (let left = tries; ; left -= 1) {
    const live = await getObject(client, resource, ref, signal);
    if (live === undefined) return 'gone';
    if (stringAt(live, 'metadata', 'uid') !== uid) return 'replaced';
    try {
      await patchObject(client, resource, ref, { operations: orphanPatch(live), signal });
      return 'orphaned';
    } catch (error) {
      if (left <= 1 || toFleetError(error).code !== 'ApplyConflict') throw error;
    }
  }
}
