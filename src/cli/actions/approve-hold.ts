import { FleetError } from '../../model/fleet-error.ts';
import type { Change } from '../../model/change.ts';
import { openStateStore } from '../../store/state-store.ts';
import type { Approval } from '../../report/approval.ts';
import type { ActionContext, FleetRequest } from '../actions.ts';
import { lookOnce } from './look-once.ts';

/**
 * Lets what is held under an id through, once the fleet was looked at anew: an id stands for exactly the objects that
 * are held now, so an approval of something else is refused. Recorded with who and when.
 */
export async function approveHold(
  { settings, holdId }: FleetRequest & { readonly holdId: string },
  context: ActionContext,
): Promise<Approval> {
  const { changes } = await lookOnce(
    { settings, scope: { clusters: [], generators: [] } },
    { mode: 'plan', revision: { kind: 'settings' } },
    context,
  );
  const held = changes.clusters.flatMap((cluster) =>
    cluster.changes.filter((change) => isHeld(change)).map((change) => ({ cluster: cluster.name, change })),
  );
  const approved = held.filter(({ change }) => change.holdId === holdId);
  const [first] = approved;
  if (first === undefined) {
    const ids = [...new Set(held.map(({ change }) => change.holdId))].join(', ');
    const known = ids === '' ? 'nothing is held' : `held are: ${ids}`;
    throw new FleetError(
      'ConfigInvalid',
      `nothing is held under ${holdId}; ${known}. What was held may have changed: run fleetwright plan`,
    );
  }
  const { environment } = context;
  const store = openStateStore(settings.stateDir);
  try {
    const by =
      environment.env['SUDO_USER'] ?? environment.env['USER'] ?? environment.env['LOGNAME'] ?? 'unknown';
    store.approve(holdId, { cluster: first.cluster, by, at: environment.now().toISOString() });
  } finally {
    store.close();
  }
  return {
    holdId,
    cluster: first.cluster,
    reason: first.change.reason,
    objects: approved.map(({ change }) => change.ref),
  };
}

function isHeld(change: Change): change is Extract<Change, { action: 'held' }> {
  return change.action === 'held';
}
