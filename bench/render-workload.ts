import { createHash } from 'node:crypto';

import { dump } from 'js-yaml';

import type { JsonObject } from '../src/model/json.ts';
import type { ServerFacts } from '../src/model/server-facts.ts';
import type { Cluster } from '../src/model/settings.ts';
import { type DirectoryNode, nodeAt, type Snapshot, type TreeNode } from '../src/model/snapshot.ts';

export type FleetFiles = ReadonlyMap<string, string>;

const environments = ['production', 'staging', 'edge'];
const regions = ['cn-east', 'cn-north', 'eu-west', 'us-east', 'us-west'];

/** Clusters with the labels of a large fleet: few different values each. */
export function fleetClusters(count: number): Cluster[] {
  return Array.from({ length: count }, (_, index) => ({
    name: clusterName(index),
    labels: {
      env: environments[index % environments.length] ?? '',
      region: regions[index % regions.length] ?? '',
      tier: index % 7 === 0 ? 'gold' : 'silver',
    },
    annotations: {},
    connection: { kind: 'kubeconfig', path: '/none' },
  }));
}

/** What a server with some operators says: about as many kinds as one has. */
export function serverFacts(): ServerFacts {
  const kinds = Array.from({ length: 150 }, (_, index) => `group-${index % 30}.example.com/v1/Kind${index}`);
  return {
    version: '1.36',
    kubeVersion: 'v1.36.3',
    apiVersions: ['apps/v1', 'apps/v1/Deployment', 'v1', 'v1/ConfigMap', ...kinds],
    clusterScoped: ['ClusterRole.rbac.authorization.k8s.io', 'Namespace'],
  };
}

function clusterName(index: number): string {
  return `cluster-${String(index).padStart(5, '0')}`;
}

/**
 * A fleet repository as teams write them: of ten generators six are plain, one of these with patches, two are templates
 * that read labels, one is a template with the cluster's own name in it, and one renders for each of five items. Each
 * source has five objects; each cluster has a folder with its settings and one manifest of its own.
 */
export function fleetFiles(clusters: number, generators: number): Map<string, string> {
  const files = new Map<string, string>();
  for (let index = 0; index < generators; index++) addGenerator(files, index);
  for (let index = 0; index < clusters; index++) {
    const name = clusterName(index);
    const settings = { metadata: { name, labels: { size: index % 2 === 0 ? 'small' : 'large' } } };
    files.set(`clusters/${name}/cluster.yaml`, dump({ ...ownKind('Cluster'), ...settings }));
    files.set(`clusters/${name}/own.yaml`, dump(configMap(`own-${name}`, 'default')));
  }
  return files;
}

function ownKind(kind: string): JsonObject {
  return { apiVersion: 'fleetwright.dev/v1alpha1', kind };
}

function addGenerator(files: Map<string, string>, index: number): void {
  const name = `app-${String(index).padStart(3, '0')}`;
  const kind = index % 10;
  const base = { clusterSelector: selector(index), source: { path: `apps/${name}` }, namespace: name };
  const parameters = { replicas: 2 };
  const type = { render: { type: 'template' } };
  if (kind < 5) add(files, name, base);
  else if (kind === 5) add(files, name, { ...base, overrides: [override()] });
  else if (kind < 8) add(files, name, { ...base, ...type, parameters }, '-{{ cluster.labels.region }}');
  else if (kind === 8) add(files, name, { ...base, ...type, parameters }, '-{{ cluster.name }}');
  else {
    const list = Array.from({ length: 5 }, (_, item) => ({ tenant: `tenant-${item}` }));
    add(
      files,
      name,
      { ...base, ...type, namespace: '{{ item.tenant }}', parameters, each: { list } },
      '-{{ item.tenant }}',
    );
  }
}

/** Three of four are for every cluster. */
function selector(index: number): JsonObject {
  return index % 4 === 3 ? { matchLabels: { env: 'production' } } : {};
}

function override(): JsonObject {
  const merge = { spec: { template: { spec: { priorityClassName: 'high' } } } };
  const json = [{ op: 'replace', path: '/spec/type', value: 'LoadBalancer' }];
  return {
    clusterSelector: {
      matchExpressions: [{ key: 'region', operator: 'In', values: ['cn-east', 'cn-north'] }],
    },
    when: 'cluster.labels.tier == "gold"',
    patches: [
      { target: { kind: 'Deployment' }, merge },
      { target: { kind: 'Service', name: 'app-*' }, json },
    ],
  };
}

function add(files: Map<string, string>, name: string, spec: JsonObject, suffix = ''): void {
  files.set(`generators/${name}.yaml`, dump({ ...ownKind('Generator'), metadata: { name }, spec }));
  const replicas = suffix === '' ? '2' : '{{ params.replicas }}';
  const texts = objectsOf(`${name}${suffix}`).map((object) =>
    dump(object).replace('replicas: 2', `replicas: ${replicas}`),
  );
  for (const [index, text] of texts.entries()) files.set(`apps/${name}/${index}.yaml`, text);
}

function objectsOf(name: string): JsonObject[] {
  const labels = { 'app.kubernetes.io/name': name };
  const metadata = { name, labels };
  const container = {
    name: 'main',
    image: `registry.example.com/${name}:1.2.3`,
    ports: [{ name: 'http', containerPort: 8080 }],
    env: Array.from({ length: 10 }, (_, index) => ({ name: `SETTING_${index}`, value: `value ${index}` })),
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    readinessProbe: { httpGet: { path: '/ready', port: 'http' } },
  };
  const template = { metadata: { labels }, spec: { serviceAccountName: name, containers: [container] } };
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: { replicas: 2, selector: { matchLabels: labels }, template },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { type: 'ClusterIP', selector: labels, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
    },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata,
      spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
    },
    configMap(name),
  ];
}

function configMap(name: string, namespace?: string): JsonObject {
  const data = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`key-${index}`, `some value ${index}`]),
  );
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    data,
  };
}

/** The files as a revision, held in memory. */
export function snapshotOf(files: FleetFiles, revision: string): Snapshot {
  const tree = folderOf([...files].map(([path, text]) => [path.split('/'), text]));
  return {
    revision,
    tree,
    read: (path) => {
      if (nodeAt(tree, path)?.kind !== 'file') return Promise.reject(new Error(`${path} is no file`));
      return Promise.resolve(new TextEncoder().encode(files.get(path)));
    },
  };
}

function folderOf(entries: readonly (readonly [path: readonly string[], text: string])[]): DirectoryNode {
  const children = new Map<string, TreeNode>();
  for (const [name, group] of Map.groupBy(entries, ([path]) => path[0] ?? '')) {
    const [first] = group;
    const inner = group.map(([path, text]) => [path.slice(1), text] as const);
    if (first?.[0].length === 1) children.set(name, { kind: 'file', oid: hash(first[1]) });
    else children.set(name, folderOf(inner));
  }
  return {
    kind: 'directory',
    oid: hash([...children].map(([name, { oid }]) => `${name} ${oid}`).join()),
    children,
  };
}

function hash(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
