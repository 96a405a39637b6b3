import { faultOfLabelKey, faultOfLabelValue, faultOfName } from '../../config/schema/label-syntax.ts';
import { didYouMean } from '../../config/schema/suggestion.ts';
import {
  applyAnnotation,
  deletionAnnotation,
  desiredHashAnnotation,
  generatorAnnotation,
  ignoreFieldsAnnotation,
  partOfLabel,
} from '../../model/apply-set.ts';
import { parseFieldPatterns } from '../../model/field-pattern.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '../../model/json.ts';
import { isReplaceable } from '../../model/replacement.ts';

/** A fault at a path of a manifest. */
export interface ManifestFault {
  readonly path: readonly string[];
  readonly message: string;
}

/** The annotations that a user may set for us, and the values they take where those are few. */
const userAnnotations: ReadonlyMap<string, readonly string[] | undefined> = new Map([
  ['fleetwright.dev/prune', ['disabled']],
  ['fleetwright.dev/drift', ['correct', 'report', 'ignore']],
  [ignoreFieldsAnnotation, undefined],
  [applyAnnotation, ['create-only', 'replace']],
  [deletionAnnotation, ['orphan', 'delete']],
  ['fleetwright.dev/adopt', ['true']],
]);
const ownKeys = new Set([partOfLabel, generatorAnnotation, desiredHashAnnotation]);

/** Everything that keeps a map from being a Kubernetes object we can apply, as far as that shows without a cluster. */
export function checkManifest(manifest: JsonObject): ManifestFault[] {
  const faults: ManifestFault[] = [];
  for (const key of ['apiVersion', 'kind'] as const) {
    const message = faultOfText(manifest[key]);
    if (message !== undefined) faults.push({ path: [key], message: `${key} ${message}` });
  }
  const metadata = manifest['metadata'];
  if (metadata === undefined)
    return [...faults, { path: ['metadata'], message: 'metadata.name is required' }];
  if (!isJsonObject(metadata)) return [...faults, { path: ['metadata'], message: 'metadata must be a map' }];
  return [
    ...faults,
    ...checkName(metadata),
    ...checkNamespace(metadata),
    ...checkLabels(metadata),
    ...checkAnnotations(metadata),
    ...checkReplacement(manifest),
  ];
}

function checkReplacement(manifest: JsonObject): ManifestFault[] {
  const asked = stringAt(manifest, 'metadata', 'annotations', applyAnnotation) === 'replace';
  const kind = stringAt(manifest, 'kind') ?? '';
  if (!asked || isReplaceable({ apiVersion: stringAt(manifest, 'apiVersion') ?? '', kind })) return [];
  const message = `${applyAnnotation}: replace is not for a ${kind}: what goes with it does not come back`;
  return [{ path: ['metadata', 'annotations', applyAnnotation], message }];
}

function faultOfText(value: JsonValue | undefined): string | undefined {
  if (value === undefined) return 'is required';
  if (typeof value !== 'string')
    return `must be text, not ${describe(value)}${isScalar(value) ? '; quote it' : ''}`;
  return value === '' ? 'must not be empty' : undefined;
}

function checkName(metadata: JsonObject): ManifestFault[] {
  const name = metadata['name'];
  if (name === undefined && metadata['generateName'] !== undefined) {
    const message = 'generateName makes a new object each time; give the object a name';
    return [{ path: ['metadata', 'generateName'], message }];
  }
  const message = faultOfText(name) ?? faultOfPathSegment(name as string);
  return message === undefined ? [] : [{ path: ['metadata', 'name'], message: `metadata.name ${message}` }];
}

/** What a name may not be whatever its kind. Source: k8s.io/apimachinery pkg/api/validation/path. */
function faultOfPathSegment(name: string): string | undefined {
  if (name.length > 253) return `must be no longer than 253 characters`;
  return name === '.' || name === '..' || /[/%]/.test(name)
    ? `${JSON.stringify(name)} can be no name`
    : undefined;
}

function checkNamespace(metadata: JsonObject): ManifestFault[] {
  const namespace = metadata['namespace'];
  if (namespace === undefined || namespace === null || namespace === '') return [];
  const message = faultOfText(namespace) ?? faultOfName(namespace as string, 63);
  return message === undefined
    ? []
    : [{ path: ['metadata', 'namespace'], message: `metadata.namespace ${message}` }];
}

function checkLabels(metadata: JsonObject): ManifestFault[] {
  return checkTexts(metadata, 'labels', (key, value) => faultOfLabelKey(key) ?? faultOfLabelValue(value));
}

function checkAnnotations(metadata: JsonObject): ManifestFault[] {
  // The prefix of an annotation's key may have capitals, unlike that of a label's.
  return checkTexts(
    metadata,
    'annotations',
    (key, value) => faultOfLabelKey(key.toLowerCase()) ?? faultOfOurs(key, value),
  );
}

function faultOfOurs(key: string, value: string): string | undefined {
  if (!key.startsWith('fleetwright.dev/')) return undefined;
  if (!userAnnotations.has(key))
    return `${key} is no annotation of Fleetwright${didYouMean(key, [...userAnnotations.keys()])}`;
  if (key === ignoreFieldsAnnotation) return faultOfPaths(value);
  const values = userAnnotations.get(key);
  if (values === undefined || values.includes(value)) return undefined;
  return `${key} must be ${values.join(' or ')}, not ${JSON.stringify(value)}`;
}

function faultOfPaths(value: string): string | undefined {
  const parsed = parseFieldPatterns(value);
  return parsed.ok ? undefined : `${ignoreFieldsAnnotation}: ${parsed.message}`;
}

function checkTexts(
  metadata: JsonObject,
  field: 'labels' | 'annotations',
  faultOf: (key: string, value: string) => string | undefined,
): ManifestFault[] {
  const texts = metadata[field];
  if (texts === undefined || texts === null) return [];
  if (!isJsonObject(texts))
    return [{ path: ['metadata', field], message: `metadata.${field} must be a map` }];
  return Object.entries(texts).flatMap(([key, value]) => {
    const message = faultOfEntry(field, key, value) ?? faultOf(key, value as string);
    return message === undefined ? [] : [{ path: ['metadata', field, key], message }];
  });
}

function faultOfEntry(field: string, key: string, value: JsonValue): string | undefined {
  if (ownKeys.has(key)) return `${key} is written by Fleetwright alone; remove it`;
  if (typeof value === 'string') return undefined;
  const what = `${field === 'labels' ? 'label' : 'annotation'} ${key}`;
  return `${what} must be text, not ${describe(value)}${isScalar(value) ? '; quote it' : ''}`;
}

function isScalar(value: JsonValue): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

function describe(value: JsonValue): string {
  if (Array.isArray(value)) return 'a list';
  if (isJsonObject(value)) return 'a map';
  return value === null ? 'null' : `the ${typeof value} ${String(value)}`;
}
