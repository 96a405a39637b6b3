import { parseManifests } from '../config/yaml/parse-manifests.ts';
import { arrayAt, stringAt } from '../model/json.ts';
import type { ClusterSource } from '../model/settings.ts';
import { clusterNameOf } from './cluster-name.ts';
import { type Registration, type RegistryPart, registryFault } from './registry-part.ts';

/** Each context of a kubeconfig as a cluster named after it. Messages quote nothing of the file but names of contexts. */
export function clustersOfKubeconfig(
  text: string,
  source: Extract<ClusterSource, { kind: 'kubeconfig' }>,
): RegistryPart {
  const { path } = source;
  const parsed = parseManifests(text, { file: path });
  const [fault] = parsed.faults;
  if (fault !== undefined) {
    return {
      registrations: [],
      faults: [registryFault(path, 'the kubeconfig is no valid YAML', fault.subject.origin?.line)],
    };
  }
  const contexts = parsed.documents.flatMap(({ value }) =>
    arrayAt(value, 'contexts').map((item) => stringAt(item, 'name') ?? ''),
  );
  if (contexts.length === 0)
    return { registrations: [], faults: [registryFault(path, 'the kubeconfig has no contexts')] };
  const wanted = source.contexts ?? contexts;
  const faults = wanted
    .filter((context) => !contexts.includes(context))
    .map((context) => registryFault(path, `the kubeconfig has no context ${JSON.stringify(context)}`));
  const registrations: Registration[] = [];
  for (const context of new Set(wanted.filter((name) => contexts.includes(name)))) {
    const name = clusterNameOf(context);
    if (name === '')
      faults.push(
        registryFault(path, `no cluster name can be made of the context ${JSON.stringify(context)}`),
      );
    else {
      const cluster = {
        name,
        labels: {},
        annotations: {},
        connection: { kind: 'kubeconfig', path, context },
      } as const;
      registrations.push({ cluster, place: `context ${JSON.stringify(context)} of ${path}` });
    }
  }
  return { registrations, faults };
}
