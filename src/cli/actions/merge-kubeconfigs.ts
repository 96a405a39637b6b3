import { dump, load } from 'js-yaml';

import { arrayAt, type JsonValue, stringAt } from '../../model/json.ts';

/** One kubeconfig with the clusters, users and contexts of several; the first one's current context stays. */
export function mergeKubeconfigs(texts: readonly string[]): string {
  const configs = texts.map((text) => load(text));
  const all = (key: string): JsonValue[] => configs.flatMap((config) => [...arrayAt(config, key)]);
  return dump({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: all('clusters'),
    users: all('users'),
    contexts: all('contexts'),
    'current-context': stringAt(configs[0], 'current-context') ?? '',
  });
}
