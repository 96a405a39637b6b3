import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import { desiredHashAnnotation, generatorAnnotation, partOfLabel } from '../../../src/model/apply-set.ts';
import { arrayAt, isJsonObject, type JsonObject, stringAt } from '../../../src/model/json.ts';
import { eventually, type Outsider } from '../../harness/fleet.ts';
import { renderTools } from '../../harness/render-tools.ts';

const group = 'oracle.example.com';

const corpusDir = join(import.meta.dirname, 'corpus');

/** The files of the corpus, by name without '.yaml'. Each names its objects after itself. */
export const corpus: ReadonlyMap<string, Uint8Array> = new Map(
  readdirSync(corpusDir)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => [file.slice(0, -'.yaml'.length), readFileSync(join(corpusDir, file))]),
);

/** A kind in which anything can be written, and one whose fields have types. */
const definitions: readonly JsonObject[] = [
  definition('Oddity', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
  definition('Typed', {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          enabled: { type: 'boolean' },
          text: { type: 'string' },
          when: { type: 'string' },
          name: { type: 'string' },
          count: { type: 'integer' },
          share: { type: 'number' },
          port: { 'x-kubernetes-int-or-string': true },
          size: { type: 'string', default: 'small' },
          nullable: { type: 'string', nullable: true },
          list: { type: 'array', items: { type: 'string' } },
          map: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
    },
  }),
];

function definition(kind: string, openAPIV3Schema: JsonObject): JsonObject {
  const singular = kind.toLowerCase();
  const plural = singular.replace(/y$/, 'ie') + 's';
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural, singular },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

/** Makes the kinds of the corpus known, and waits until they are served. */
export async function defineOddities(someone: Outsider): Promise<void> {
  for (const body of definitions) {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const name = stringAt(body, 'metadata', 'name') ?? '';
    if ((await someone.get(`${path}/${name}`)) === undefined) await someone.create(path, body);
    await eventually(async () => {
      const conditions = arrayAt(await someone.get(`${path}/${name}`), 'status', 'conditions');
      return conditions.some(
        (condition) =>
          stringAt(condition, 'type') === 'Established' && stringAt(condition, 'status') === 'True',
      )
        ? true
        : undefined;
    }, `${name} is served`);
  }
}

const collections = [
  '/api/v1|configmaps',
  '/api/v1|secrets',
  '/api/v1|services',
  '/apis/apps/v1|deployments',
  '/apis/networking.k8s.io/v1|networkpolicies',
  '/apis/rbac.authorization.k8s.io/v1|roles',
  '/apis/rbac.authorization.k8s.io/v1|rolebindings',
  `/apis/${group}/v1|oddities`,
  `/apis/${group}/v1|typeds`,
];

/** What a namespace holds, by 'Kind name', without what servers and appliers write themselves. */
export async function storedIn(someone: Outsider, namespace: string): Promise<Map<string, JsonObject>> {
  const stored = new Map<string, JsonObject>();
  for (const collection of collections) {
    const [base = '', plural = ''] = collection.split('|');
    const list = await someone.get(`${base}/namespaces/${namespace}/${plural}`);
    const kind = (stringAt(list, 'kind') ?? '').replace(/List$/, '');
    for (const item of arrayAt(list, 'items').filter(isJsonObject)) {
      const name = stringAt(item, 'metadata', 'name') ?? '';
      if (name !== 'kube-root-ca.crt') stored.set(`${kind} ${name}`, ownPart(item));
    }
  }
  return stored;
}

const serverMetadata = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
  'namespace',
];
const appliersAnnotations = [
  'kubectl.kubernetes.io/last-applied-configuration',
  'deployment.kubernetes.io/revision',
  generatorAnnotation,
  desiredHashAnnotation,
];

function ownPart(item: JsonObject): JsonObject {
  const { metadata, status: _status, ...rest } = item;
  const { annotations, labels, ...own } = without(asObject(metadata), serverMetadata);
  return {
    ...rest,
    ...(isJsonObject(rest['spec']) ? { spec: without(rest['spec'], ['clusterIP', 'clusterIPs']) } : {}),
    metadata: {
      ...own,
      ...unlessEmpty('annotations', without(asObject(annotations), appliersAnnotations)),
      ...unlessEmpty('labels', without(asObject(labels), [partOfLabel])),
    },
  };
}

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function unlessEmpty(key: string, value: JsonObject): JsonObject {
  return Object.keys(value).length === 0 ? {} : { [key]: value };
}

function without(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** Applies a folder with kubectl itself, all files in one call; it goes on after files that it refuses. */
export async function kubectlApply(
  { kubeconfigPath }: Pick<ControlPlane, 'kubeconfigPath'>,
  { namespace, dir = corpusDir }: { readonly namespace: string; readonly dir?: string },
  ...options: readonly string[]
): Promise<string> {
  const { kubectl } = await renderTools();
  const home = await mkdtemp(join(tmpdir(), 'fleetwright-kubectl-'));
  const args = ['apply', '--kubeconfig', kubeconfigPath, '--namespace', namespace, ...options, '-f', dir];
  try {
    return await new Promise((resolve, reject) => {
      execFile(
        kubectl,
        args,
        { env: { HOME: home }, maxBuffer: 64 * 1024 * 1024 },
        (error, stdout, stderr) => {
          // 1: some files were refused, as is meant.
          if (error === null || error.code === 1) resolve(stdout + stderr);
          else reject(new Error(`kubectl: ${stderr}`, { cause: error }));
        },
      );
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
