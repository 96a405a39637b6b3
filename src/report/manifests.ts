import { dump } from 'js-yaml';

import type { DesiredObject, DesiredState } from '../model/desired.ts';
import { isJsonObject, type JsonObject, objectAt } from '../model/json.ts';
import { compareRefs, groupKindOf, groupOf } from '../model/object-ref.ts';
import { formatOrigin } from '../model/origin.ts';

import { sortedBy } from './format.ts';

export interface ManifestOptions {
  /** Whether values of Secrets are written; otherwise '(hidden)' stands for each. */
  readonly showSecrets: boolean;
  /** Whether an object's kind lives in no namespace, as far as is known without a cluster. */
  readonly clusterScopeOf: (objects: readonly DesiredObject[]) => (object: DesiredObject) => boolean;
}

/** Everything as one stream of YAML documents, each under a comment that says whose it is and where it comes from. */
export function manifestStream(states: readonly DesiredState[], options: ManifestOptions): string {
  return sortedBy(states, (state) => state.cluster)
    .flatMap((state) =>
      settledObjects(state, options).map(({ object, manifest }) => {
        const comments = [
          `# cluster: ${oneLine(state.cluster)}`,
          `# origin: ${oneLine(formatOrigin(object.origin))}`,
          ...notesOn(object, options),
        ];
        return `---\n${comments.join('\n')}\n${toYaml(manifest)}`;
      }),
    )
    .join('');
}

/**
 * Everything as files: a folder for each cluster, in it one for each namespace, and a file for each kind, so that a
 * diff of two renderings falls into pieces as people think of them. Comments name no lines: those move too often.
 */
export function manifestFiles(
  states: readonly DesiredState[],
  options: ManifestOptions,
): Map<string, string> {
  const files = new Map<string, string>();
  for (const state of sortedBy(states, (each) => each.cluster)) {
    for (const { object, manifest } of settledObjects(state, options)) {
      const kind = `${pathPart(groupKindOf(object.ref).toLowerCase())}.yaml`;
      const folders = [state.cluster, object.ref.namespace].filter((part) => part !== '').map(pathPart);
      const path = [...folders, kind].join('/');
      const comments = [`# origin: ${oneLine(object.origin.file)}`, ...notesOn(object, options)];
      const text = `---\n${comments.join('\n')}\n${toYaml(manifest)}`;
      files.set(path, (files.get(path) ?? '') + text);
    }
  }
  return files;
}

/** The objects in order, each with the namespace that it will have and with its Secret's values as wished. */
function settledObjects(state: DesiredState, options: ManifestOptions) {
  const isClusterScoped = options.clusterScopeOf(state.objects);
  return state.objects
    .map((object) => {
      const needsNamespace = object.ref.namespace === '' && !isClusterScoped(object);
      const namespace = needsNamespace ? object.defaultNamespace : object.ref.namespace;
      const manifest = options.showSecrets ? object.manifest : withoutSecrets(object);
      return {
        object: { ...object, ref: { ...object.ref, namespace } },
        manifest: namespace === '' ? manifest : withNamespace(manifest, namespace),
      };
    })
    .sort((a, b) => compareRefs(a.object.ref, b.object.ref));
}

function withNamespace(manifest: JsonObject, namespace: string): JsonObject {
  const metadata = objectAt(manifest, 'metadata');
  if (metadata['namespace'] === namespace) return manifest;
  const { name, ...rest } = metadata;
  return { ...manifest, metadata: { ...(name !== undefined && { name }), namespace, ...rest } };
}

function notesOn(object: DesiredObject, { showSecrets }: ManifestOptions): string[] {
  return isSecret(object) && !showSecrets ? ['# values are hidden; --show-secrets writes them'] : [];
}

function isSecret({ ref }: DesiredObject): boolean {
  return ref.kind === 'Secret' && groupOf(ref.apiVersion) === '';
}

/** Renderings end in logs of CI systems and in other repositories, where a Secret's values must never be by default. */
function withoutSecrets(object: DesiredObject): JsonObject {
  const { manifest } = object;
  if (!isSecret(object)) return manifest;
  const hide = (key: string) => {
    const data = manifest[key];
    if (data === undefined) return {};
    return {
      [key]: isJsonObject(data)
        ? Object.fromEntries(Object.keys(data).map((name) => [name, '(hidden)']))
        : '(hidden)',
    };
  };
  return { ...manifest, ...hide('data'), ...hide('stringData') };
}

function toYaml(manifest: JsonObject): string {
  return dump(manifest, { noRefs: true, lineWidth: -1 });
}

/** A name from Git or a cluster as one part of a path: never a way out of the folder, the same on every system. */
function pathPart(name: string): string {
  return name
    .replace(/[^A-Za-z0-9._-]/g, (character) => encodeURIComponent(character))
    .replace(/^\.+/, (dots) => '%2E'.repeat(dots.length));
}

function oneLine(text: string): string {
  return text.replace(/[\r\n\u0085\u2028\u2029]/g, ' ');
}
