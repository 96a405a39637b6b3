import type { ResourceInfo } from '../kube/discovery.ts';
import type { Change, Drift } from '../model/change.ts';
import type { FieldDifference, FieldManager } from '../model/field.ts';
import { groupOf, type ObjectRef, refKey } from '../model/object-ref.ts';
import type { AuditedPlace } from '../observe/audit/audit-event.ts';
import type { AuditLog } from '../observe/audit/audit-log.ts';
import { placesAround } from '../observe/audit/places-around.ts';
import { deletersOf, withRequester } from '../observe/audit/who-wrote.ts';
import type { Preparation } from '../plan/prepare-objects.ts';
import type { SyncTask } from './cluster-state.ts';
import type { KindTable } from './kind-table.ts';

/** What a sync found and did. */
export interface Findings {
  readonly changes: readonly Change[];
  readonly drifts: readonly Drift[];
}

interface NameOptions {
  readonly preparation: Preparation;
  readonly kinds: KindTable;
  /** Keys of what was found by an earlier sync already: no wait is worth while for it. */
  readonly known: ReadonlySet<string>;
}

/** A field whose writer wrote longer ago than this is no news of which the line may still be on its way. */
const recentMs = 5_000;

/**
 * Completes findings with what the cluster's audit log tells: who deleted what is missing, and as which user and from
 * where others wrote. Comes after the corrections, which never wait for it; waits itself for no more than a moment, and
 * only where an answer of now is missing. Without a log everything stays as it is. Never throws.
 */
export async function nameWriters(task: SyncTask, found: Findings, options: NameOptions): Promise<Findings> {
  const { audit } = task.state;
  if (audit === undefined) return found;
  const isAsked = found.drifts.length > 0 || found.changes.some(({ fields }) => fields.some(hasWriter));
  if (!isAsked) {
    await audit.check(task.signal);
    return found;
  }
  const isWanted = placesAround(
    options.preparation.objects.flatMap(({ ref }) => placeOf(ref, options.kinds) ?? []),
  );
  const fresh = found.drifts.filter(({ ref }) => !options.known.has(refKey(ref)));
  const writers = new Writers(audit, options.kinds);
  const since = task.clock.now() - recentMs;
  await audit.lookFor(() => fresh.every((drift) => writers.areKnown(drift, since)), {
    isWanted,
    signal: task.signal,
  });
  return writers.name(found);
}

/** Answers from the log's index. */
class Writers {
  readonly #audit: AuditLog;
  readonly #kinds: KindTable;

  constructor(audit: AuditLog, kinds: KindTable) {
    this.#audit = audit;
    this.#kinds = kinds;
  }

  /** Whether nothing more is to be expected. @param since in ms since the epoch: older writes are told of or never. */
  areKnown(drift: Drift, since: number): boolean {
    if (drift.kind === 'missing') return this.#deletersOf(drift).length > 0;
    const writers = this.#named(drift).fields.flatMap(({ changedBy }) => changedBy);
    return writers.every(
      ({ user, time }) => user !== undefined || (time !== undefined && Date.parse(time) < since),
    );
  }

  name({ changes, drifts }: Findings): Findings {
    const deleters = new Map(
      drifts.flatMap((drift): [string, FieldManager[]][] => {
        const found = drift.kind === 'missing' ? this.#deletersOf(drift) : [];
        return found.length === 0 ? [] : [[refKey(drift.ref), found]];
      }),
    );
    const complete = <Item extends Change | Drift>(item: Item): Item => {
      const changedBy = deleters.get(refKey(item.ref));
      return { ...this.#named(item), ...(changedBy === undefined ? {} : { changedBy }) };
    };
    const named = { changes: changes.map(complete), drifts: drifts.map(complete) };
    // Only now: the deletion of a namespace explains all that went with it.
    for (const drift of drifts) if (drift.action === 'corrected') this.#markTold(drift);
    return named;
  }

  #deletersOf({ ref, action }: Drift): FieldManager[] {
    const place = placeOf(ref, this.#kinds);
    if (place === undefined) return [];
    return deletersOf(this.#audit.index, place, { recreated: action === 'corrected' });
  }

  #named<Item extends Change | Drift>(item: Item): Item {
    const place = item.fields.some(hasWriter) ? placeOf(item.ref, this.#kinds) : undefined;
    const writes = place === undefined ? [] : this.#audit.index.writesTo(place);
    if (writes.length === 0) return item;
    const fields = item.fields.map((field) => ({
      ...field,
      changedBy: field.changedBy.map((manager) => withRequester(manager, writes)),
    }));
    return { ...item, fields };
  }

  #markTold(drift: Drift): void {
    const place = placeOf(drift.ref, this.#kinds);
    if (place !== undefined) this.#audit.index.markTold(place, { recreated: true });
  }
}

function hasWriter({ changedBy }: FieldDifference): boolean {
  return changedBy.length > 0;
}

/** An object as the audit log names it; undefined for a kind that the cluster does not serve. */
function placeOf(ref: ObjectRef, { resolve }: KindTable): AuditedPlace | undefined {
  const resource: ResourceInfo | undefined = resolve(ref);
  if (resource === undefined) return undefined;
  return {
    group: groupOf(ref.apiVersion),
    resource: resource.plural,
    namespace: ref.namespace,
    name: ref.name,
  };
}
