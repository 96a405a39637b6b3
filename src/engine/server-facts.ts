import type { Discovery } from '../kube/discovery.ts';
import { compareText, groupKindOf, groupOf } from '../model/object-ref.ts';
import type { ServerFacts } from '../model/server-facts.ts';

/**
 * What a discovery says of a server, for templates, conditions and charts.
 * @param kubeVersion 'v1.36.3'
 * @param before what the server said last: a group that cannot be read now keeps the kinds that it had, since what is
 * unknown must not pass for gone.
 */
export function serverFactsOf(
  discovery: Discovery,
  kubeVersion: string,
  before: ServerFacts | undefined,
): ServerFacts {
  const unread = new Set(discovery.failedGroups);
  const kept = (before?.apiVersions ?? []).filter((served) => unread.has(groupOf(apiVersionIn(served))));
  const keptScopes = (before?.clusterScoped ?? []).filter((groupKind) => unread.has(groupIn(groupKind)));
  const kinds = discovery.all();
  return {
    version: /^v?(\d+\.\d+)/.exec(kubeVersion)?.[1] ?? kubeVersion,
    kubeVersion,
    apiVersions: sorted([
      ...discovery.apiVersions,
      ...kinds.map(({ apiVersion, kind }) => `${apiVersion}/${kind}`),
      ...kept,
    ]),
    clusterScoped: sorted([
      ...kinds.flatMap((info) => (info.namespaced ? [] : [groupKindOf(info)])),
      ...keptScopes,
    ]),
  };
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort(compareText);
}

/** 'apps/v1' of 'apps/v1' and of 'apps/v1/Deployment', 'v1' of 'v1' and of 'v1/Pod': only kinds begin with a capital. */
function apiVersionIn(served: string): string {
  return served.replace(/\/[A-Z][^/]*$/, '');
}

/** 'apps' of 'Deployment.apps', '' of 'Pod'. */
function groupIn(groupKind: string): string {
  const dot = groupKind.indexOf('.');
  return dot < 0 ? '' : groupKind.slice(dot + 1);
}
