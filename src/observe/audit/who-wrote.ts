import type { FieldManager } from '../../model/field.ts';
import type { AuditedPlace, AuditedWrite } from './audit-event.ts';
import { namespacePlace } from './places-around.ts';
import type { WriteIndex } from './write-index.ts';

/**
 * Who ended an object's last life, oldest first; empty where the log does not tell. Where its namespace was deleted,
 * whoever did that comes first.
 * @param recreated it has been created again since.
 */
export function deletersOf(
  index: WriteIndex,
  place: AuditedPlace,
  { recreated }: { readonly recreated: boolean },
): FieldManager[] {
  const deletions = index.deletionsOf(place, { recreated });
  const cleanUp = deletions.find(isNamespaceCleanUp);
  if (cleanUp === undefined || place.namespace === '') return deletions.map(deleter);
  const target = { apiVersion: 'v1', kind: 'Namespace', namespace: '', name: place.namespace };
  const ofNamespace = index
    .lastDeletionsOf(namespacePlace(place.namespace))
    .filter(({ receivedAt }) => receivedAt <= cleanUp.receivedAt)
    .map((write) => ({ ...deleter(write), target }));
  return [...ofNamespace, ...deletions.map(deleter)];
}

/**
 * A manager with the user and the address of the very write by which it is known: its last one where managedFields give
 * no time. One whose write the log does not have stays as it is; a wrong name would be worse than none.
 */
export function withRequester(manager: FieldManager, writes: readonly AuditedWrite[]): FieldManager {
  const write = writes.findLast(
    ({ requester, subresource, ...times }) =>
      requester.manager === manager.manager &&
      subresource === (manager.subresource ?? '') &&
      (manager.time === undefined || isDuring(manager.time, times)),
  );
  if (write === undefined) return manager;
  const { user, sourceIPs } = write.requester;
  return { ...manager, user, sourceIPs };
}

/** managedFields count whole seconds. */
function isDuring(
  time: string,
  { receivedAt, answeredAt }: Pick<AuditedWrite, 'receivedAt' | 'answeredAt'>,
): boolean {
  const at = Date.parse(time);
  return at >= Math.floor(Date.parse(receivedAt) / 1_000) * 1_000 && at <= Date.parse(answeredAt);
}

function deleter({ requester, receivedAt }: AuditedWrite): FieldManager {
  const { manager, user, sourceIPs } = requester;
  return { manager, operation: 'Delete', time: receivedAt, user, sourceIPs };
}

/** The controller that empties a namespace which is being deleted; without an account of its own it is the manager's. */
function isNamespaceCleanUp({ requester: { user } }: AuditedWrite): boolean {
  return (
    user === 'system:serviceaccount:kube-system:namespace-controller' ||
    user === 'system:kube-controller-manager'
  );
}
