import { discover } from '../../src/kube/discovery.ts';
import { listMetadata } from '../../src/kube/objects.ts';
import { partOfLabel } from '../../src/model/apply-set.ts';
import { arrayAt, isJsonObject, type JsonObject, stringAt } from '../../src/model/json.ts';
import type { Outsider } from './fleet.ts';

/** An object that carries an ApplySet's label, as far as a write by its owner would show. */
export interface OwnedVersion {
  readonly uid: string;
  readonly resourceVersion: string;
  /** Our entry of managedFields: controllers write status whenever they like, but they never touch this. */
  readonly ours: JsonObject | undefined;
}

/** Every object that carries any ApplySet's label in a cluster, by 'Kind namespace/name'. */
export async function ownedVersions(someone: Outsider): Promise<Map<string, OwnedVersion>> {
  const signal = AbortSignal.timeout(30_000);
  const discovery = await discover(someone.client, signal);
  const found = new Map<string, OwnedVersion>();
  for (const resource of discovery.all().filter(({ verbs }) => verbs.includes('list'))) {
    const { items } = await listMetadata(someone.client, resource, { labelSelector: partOfLabel, signal });
    for (const item of items) {
      const text = (key: string): string => stringAt(item, 'metadata', key) ?? '';
      found.set(`${resource.kind} ${text('namespace')}/${text('name')}`, {
        uid: text('uid'),
        resourceVersion: text('resourceVersion'),
        ours: arrayAt(item, 'metadata', 'managedFields')
          .filter(isJsonObject)
          .find((entry) => entry['manager'] === 'fleetwright' && entry['operation'] === 'Apply'),
      });
    }
  }
  return found;
}
