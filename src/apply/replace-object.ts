import type { Clock } from '../kube/clock.ts';
import type { ResourceInfo } from '../kube/discovery.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import { collectionPath } from '../kube/object-path.ts';
import { deleteObject, getMetadata, metadataAccept } from '../kube/objects.ts';
import { FleetError } from '../model/fleet-error.ts';
import { arrayAt, stringAt } from '../model/json.ts';
import type { ObjectRef } from '../model/object-ref.ts';

export interface RemovalOptions {
  readonly client: KubeClient;
  readonly resource: ResourceInfo;
  readonly uid: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** 60 s unless given. */
  readonly withinMs?: number;
}

const goneWithinMs = 60_000;
const pauseMs = 200;

/**
 * Deletes the object that has this uid, with all that it owns, and waits until it is gone, so that it can be created
 * anew.
 * @throws FleetError ApplyConflict where another object of that name is there, DeadlineExceeded where it is still
 *   there after a while: it is created when it is gone at last.
 */
export async function removeToReplace(ref: ObjectRef, options: RemovalOptions): Promise<void> {
  const { client, resource, uid, signal } = options;
  const how = await deleteObject(client, resource, ref, { uid, propagation: 'Foreground', signal });
  if (how === 'replaced')
    throw new FleetError('ApplyConflict', 'another object took its place while it was to be replaced');
  if (how === 'deleting') await untilGone(ref, options);
}

async function untilGone(ref: ObjectRef, options: RemovalOptions): Promise<void> {
  const { client, resource, uid, clock, signal, withinMs = goneWithinMs } = options;
  const deadline = clock.now() + withinMs;
  for (;;) {
    const live = await getMetadata(client, resource, ref, signal);
    if (live === undefined || stringAt(live, 'metadata', 'uid') !== uid) return;
    const leftMs = deadline - clock.now();
    if (leftMs <= 0) throw stillThere(arrayAt(live, 'metadata', 'finalizers').map(String), withinMs);
    const since = stringAt(live, 'metadata', 'resourceVersion') ?? '0';
    if (await sawDeletion(ref, { ...options, since, leftMs })) return;
    // The server ended the watch.
    await clock.sleep(pauseMs, signal);
  }
}

async function sawDeletion(
  ref: ObjectRef,
  {
    client,
    resource,
    signal,
    since,
    leftMs,
  }: RemovalOptions & { readonly since: string; readonly leftMs: number },
): Promise<boolean> {
  const events = client.stream({
    method: 'GET',
    path: collectionPath(resource, ref.namespace),
    query: {
      watch: '1',
      fieldSelector: `metadata.name=${ref.name}`,
      resourceVersion: since,
      timeoutSeconds: String(Math.max(1, Math.ceil(leftMs / 1_000))),
    },
    accept: metadataAccept.object,
    signal,
    silenceMs: leftMs + 10_000,
  });
  for await (const event of events) if (stringAt(event, 'type') === 'DELETED') return true;
  return false;
}

function stillThere(finalizers: readonly string[], withinMs: number): FleetError {
  const held = finalizers.length === 0 ? '' : `; it is held by ${finalizers.join(', ')}`;
  return new FleetError(
    'DeadlineExceeded',
    `it was deleted to be replaced and is not gone after ${withinMs / 1_000} s${held}; it is created when it is gone`,
  );
}
