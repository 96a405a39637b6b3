import type { Change } from '../model/change.ts';
import type { DesiredState } from '../model/desired.ts';
import { groupKindOf } from '../model/object-ref.ts';
import type { ClusterState } from './cluster-state.ts';

/**
 * The kinds ('Widget.example.com') that Git wants, or that we own something of, and that are not observed since the
 * server is not known to serve them or turned out not to. Kinds that are neither wanted nor served hold nothing.
 */
export function unknownKinds(
  desired: DesiredState,
  { state, changes }: { readonly state: ClusterState; readonly changes: readonly Change[] },
): string[] {
  const { inventory, discovery, groupKinds } = state;
  const served = [...(groupKinds ?? [])].filter((kind) => discovery.findGroupKind(kind) !== undefined);
  const kinds = new Set([...served, ...desired.objects.map(({ ref }) => groupKindOf(ref))]);
  const failed = changes.flatMap((change) =>
    change.action === 'failed' && change.error.code === 'KindUnknown' ? [groupKindOf(change.ref)] : [],
  );
  const unobserved = [...kinds].filter((kind) => {
    const known = inventory.kindState(kind);
    return known.state === 'failed' && known.error.code === 'KindUnknown';
  });
  return [...new Set([...failed, ...unobserved])];
}
