import { arrayAt, type JsonValue, stringAt, valueAt } from '../model/json.ts';
import type { ResourceInfo } from './discovery.ts';

/** What is known of one API group, or of one version of it. */
export interface GroupResources {
  readonly group: string;
  /** Its versions, also those of which no kind can be told. */
  readonly apiVersions: readonly string[];
  /** The group's own server does not answer; `resources` is then what it served last, or nothing. */
  readonly failed: boolean;
  readonly resources: readonly ResourceInfo[];
}

/**
 * The groups of an APIGroupDiscoveryList, versions in the server's order of preference.
 * Source: k8s.io/api apidiscovery/v2; v2beta1 has the same shape.
 */
export function parseAggregatedDiscovery(body: JsonValue): GroupResources[] {
  return arrayAt(body, 'items').map((item) => {
    const group = stringAt(item, 'metadata', 'name') ?? '';
    const versions = arrayAt(item, 'versions');
    const apiVersionOf = (version: JsonValue): string => {
      const name = stringAt(version, 'version') ?? '';
      return group === '' ? name : `${group}/${name}`;
    };
    return {
      group,
      apiVersions: versions.map(apiVersionOf),
      // 'Stale': the aggregated server could not be asked, and what stands here may no longer hold.
      failed: versions.some((version) => stringAt(version, 'freshness') === 'Stale'),
      resources: versions.flatMap((version) =>
        arrayAt(version, 'resources').flatMap((resource) =>
          aggregatedResource(resource, apiVersionOf(version)),
        ),
      ),
    };
  });
}

function aggregatedResource(resource: JsonValue, apiVersion: string): ResourceInfo[] {
  const plural = stringAt(resource, 'resource');
  const kind = stringAt(resource, 'responseKind', 'kind');
  if (plural === undefined || kind === undefined || kind === '') return [];
  const namespaced = stringAt(resource, 'scope') === 'Namespaced';
  return [{ apiVersion, kind, plural, namespaced, verbs: strings(arrayAt(resource, 'verbs')) }];
}

/** The kinds of an APIResourceList, subresources left out. Source: k8s.io/apimachinery meta/v1 APIResourceList. */
export function parseResourceList(body: JsonValue, apiVersion: string): ResourceInfo[] {
  return arrayAt(body, 'resources').flatMap((resource) => {
    const plural = stringAt(resource, 'name');
    const kind = stringAt(resource, 'kind');
    if (plural === undefined || kind === undefined || plural.includes('/')) return [];
    const namespaced = valueAt(resource, 'namespaced') === true;
    return [{ apiVersion, kind, plural, namespaced, verbs: strings(arrayAt(resource, 'verbs')) }];
  });
}

function strings(values: readonly JsonValue[]): string[] {
  return values.filter((value) => typeof value === 'string');
}
