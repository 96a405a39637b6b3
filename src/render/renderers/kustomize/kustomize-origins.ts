import { parseManifests } from '../../../config/yaml/parse-manifests.ts';
import { isJsonObject, type JsonObject, stringAt } from '../../../model/json.ts';
import { joinPath } from '../repository-path.ts';
import type { KustomizeSources } from './find-sources.ts';

const originAnnotation = 'config.kubernetes.io/origin';
/** Fields whose transformers may do anything with annotations. */
const customFields = [
  'generators',
  'transformers',
  'validators',
  'configurations',
  'openapi',
  'buildMetadata',
];
const mentionsAnnotations = /metadata[./]annotations|config\.kubernetes\.io/;

/** Lines that make kustomize note on each object where it comes from. */
export const originRequest = '\nbuildMetadata: [originAnnotations]\n';

/**
 * Whether kustomize can note origins without any other effect. An annotation where there was none could let a patch on
 * annotations pass that fails without, and a file in flow style takes no more lines.
 */
export function canAskForOrigins(sources: KustomizeSources, patchTexts: readonly string[]): boolean {
  const [first] = sources.kustomizations;
  if (first === undefined || /^\s*[{[]/.test(first.text) || /^\.\.\./m.test(first.text)) return false;
  const texts = [...sources.kustomizations.map(({ text }) => text), ...patchTexts];
  return (
    !texts.some((text) => mentionsAnnotations.test(text)) &&
    !sources.kustomizations.some(({ document }) => customFields.some((field) => field in document.value))
  );
}

/** Where an object comes from, by its annotation: a resource's file, or the kustomization that generates it. */
export function originOf(manifest: JsonObject, folder: string): string | undefined {
  const text = stringAt(manifest, 'metadata', 'annotations', originAnnotation);
  if (text === undefined) return undefined;
  const [document] = parseManifests(text, { file: '' }).documents;
  const path = stringAt(document?.value, 'path') ?? stringAt(document?.value, 'configuredIn');
  return path === undefined ? undefined : joinPath(folder, path);
}

/** The object as kustomize gives it when nobody asks for origins: it writes no annotations where there are none. */
export function withoutOrigin(manifest: JsonObject): JsonObject {
  const { metadata } = manifest;
  if (!isJsonObject(metadata) || !isJsonObject(metadata['annotations'])) return manifest;
  const { [originAnnotation]: _origin, ...annotations } = metadata['annotations'];
  const { annotations: _annotations, ...others } = metadata;
  const kept = Object.keys(annotations).length === 0 ? others : { ...others, annotations };
  return { ...manifest, metadata: kept };
}
