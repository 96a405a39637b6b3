import type { KubernetesSchemas } from '../../src/render/validate/schema/kubernetes-schemas.ts';
import { compareText, groupKindOf } from '../../src/model/object-ref.ts';
import type { TestApi } from '../../test/harness/test-api.ts';
import { compactDefinitions, shortNames } from './compact-definitions.ts';
import { probeClaims, withConfirmedClaims } from './confirm-claims.ts';
import { readServer } from './read-server.ts';

/** What validation needs to know of the kinds that a server serves. */
export async function describeKinds(api: TestApi): Promise<KubernetesSchemas> {
  const server = await readServer(api);
  const roots = new Set(server.kinds.map(({ definition }) => definition));
  const names = shortNames([...roots]);
  const kinds = server.kinds.map((kind) => ({ ...kind, definition: names.get(kind.definition) ?? '' }));
  const compact = compactDefinitions(server.definitions, roots);
  const verdicts = await probeClaims(api, kinds, compact);
  const byVersion = Map.groupBy(kinds, ({ apiVersion }) => apiVersion);
  return {
    kubeVersion: server.kubeVersion,
    kinds: Object.fromEntries(
      [...byVersion].map(([apiVersion, served]) => [
        apiVersion,
        Object.fromEntries(served.map(({ kind, definition }) => [kind, definition])),
      ]),
    ),
    clusterScoped: [...new Set(kinds.filter(({ namespaced }) => !namespaced).map(groupKindOf))].sort(
      compareText,
    ),
    definitions: withConfirmedClaims(compact, verdicts),
  };
}
