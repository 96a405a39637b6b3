import { arrayAt, isJsonObject, type JsonObject, objectAt, stringAt } from '../../src/model/json.ts';
import { compareText } from '../../src/model/object-ref.ts';
import type { TestApi } from '../../test/harness/test-api.ts';

/** A kind that can be applied. */
export interface ServedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Where objects are created: '/apis/apps/v1/namespaces/default/deployments'. */
  readonly path: string;
  /** The name of its definition. */
  readonly definition: string;
}

export interface Server {
  /** 'v1.36.3' */
  readonly kubeVersion: string;
  /** By apiVersion and kind. */
  readonly kinds: readonly ServedKind[];
  readonly definitions: Readonly<Record<string, JsonObject>>;
}

/** Everything that a server says of the kinds that it serves. */
export async function readServer(api: TestApi): Promise<Server> {
  const get = async (path: string): Promise<unknown> => (await api.send({ method: 'GET', path })).body;
  const index = objectAt(await get('/openapi/v3'), 'paths');
  const kinds: ServedKind[] = [];
  const definitions: Record<string, JsonObject> = {};
  for (const [path, entry] of Object.entries(index).sort(([a], [b]) => compareText(a, b))) {
    if (!/^(api\/v1|apis\/[^/]+\/[^/]+)$/.test(path)) continue;
    const document = await get(stringAt(entry, 'serverRelativeURL') ?? '');
    const schemas = objectAt(document, 'components', 'schemas');
    for (const [name, schema] of Object.entries(schemas))
      if (isJsonObject(schema)) definitions[name] = schema;
    kinds.push(...kindsOf(await get(`/${path}`), `/${path}`, schemas));
  }
  return {
    kubeVersion: stringAt(await get('/version'), 'gitVersion') ?? '',
    kinds: kinds.sort((a, b) => compareText(a.apiVersion, b.apiVersion) || compareText(a.kind, b.kind)),
    definitions,
  };
}

function kindsOf(list: unknown, path: string, schemas: JsonObject): ServedKind[] {
  const apiVersion = stringAt(list, 'groupVersion') ?? '';
  return arrayAt(list, 'resources').flatMap((resource) => {
    const name = stringAt(resource, 'name') ?? '';
    const kind = stringAt(resource, 'kind') ?? '';
    if (name.includes('/') || !arrayAt(resource, 'verbs').includes('patch')) return [];
    const namespaced = isJsonObject(resource) && resource['namespaced'] === true;
    const definition = definitionOf(apiVersion, kind, schemas);
    const folder = namespaced ? `${path}/namespaces/default` : path;
    return [{ apiVersion, kind, namespaced, path: `${folder}/${name}`, definition }];
  });
}

function definitionOf(apiVersion: string, kind: string, schemas: JsonObject): string {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const found = Object.entries(schemas).find(([, schema]) =>
    arrayAt(schema, 'x-kubernetes-group-version-kind').some(
      (each) =>
        stringAt(each, 'group') === group &&
        stringAt(each, 'version') === version &&
        stringAt(each, 'kind') === kind,
    ),
  );
  if (found === undefined) throw new Error(`the server describes no ${apiVersion} ${kind}`);
  return found[0];
}
