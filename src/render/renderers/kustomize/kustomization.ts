import { arrayAt, isJsonObject, type JsonObject, type JsonValue, stringAt } from '../../../model/json.ts';

/** Names that a kustomization's file may have; a folder holds one of them. */
export const kustomizationNames: readonly string[] = [
  'kustomization.yaml',
  'kustomization.yml',
  'Kustomization',
];

type Path = readonly (string | number)[];

/** Something outside of a kustomization's own file that it names. */
export interface Reference {
  /**
   * base: a folder with a kustomization of its own, or a file; file: a file;
   * patch: a file that changes what others gave.
   */
  readonly kind: 'base' | 'file' | 'patch';
  /** As it is written. */
  readonly target: string;
  /** Where in the document. */
  readonly path: Path;
}

/** A chart that a kustomization inflates. */
export interface ChartReference {
  readonly name: string;
  /** The chart's folder from the kustomization's. */
  readonly folder: string;
  readonly repository: string | undefined;
  readonly version: string | undefined;
  readonly path: Path;
}

const lists: readonly (readonly [field: string, kind: Reference['kind']])[] = [
  ['resources', 'base'],
  ['bases', 'base'],
  ['components', 'base'],
  ['generators', 'base'],
  ['transformers', 'base'],
  ['validators', 'base'],
  ['crds', 'file'],
  ['configurations', 'file'],
  ['patchesStrategicMerge', 'patch'],
];
const itemPaths: readonly (readonly [field: string, kind: Reference['kind']])[] = [
  ['patches', 'patch'],
  ['patchesJson6902', 'patch'],
  ['replacements', 'patch'],
];

/** Every file and folder that a kustomization names, whether it is there or not. */
export function referencesOf(kustomization: JsonObject): Reference[] {
  return [
    ...lists.flatMap(([field, kind]) => textsOf(kustomization[field], kind, [field])),
    ...itemPaths.flatMap(([field, kind]) =>
      arrayAt(kustomization, field).flatMap((item, index) => textOf(item, kind, [field, index, 'path'])),
    ),
    ...textOf(kustomization['openapi'], 'file', ['openapi', 'path']),
    ...['configMapGenerator', 'secretGenerator'].flatMap((field) =>
      arrayAt(kustomization, field).flatMap((item, index) => generatorFiles(item, [field, index])),
    ),
    ...arrayAt(kustomization, 'helmCharts').flatMap((item, index) => [
      ...textOf(item, 'file', ['helmCharts', index, 'valuesFile']),
      ...textsOf(memberOf(item, 'additionalValuesFiles'), 'file', [
        'helmCharts',
        index,
        'additionalValuesFiles',
      ]),
    ]),
  ];
}

/** The charts in `helmCharts`. Source: kustomize's HelmChartInflationGenerator, absChartHome. */
export function chartsOf(kustomization: JsonObject): ChartReference[] {
  const home = stringAt(kustomization, 'helmGlobals', 'chartHome') ?? 'charts';
  return arrayAt(kustomization, 'helmCharts').flatMap((item, index) => {
    const name = stringAt(item, 'name');
    if (name === undefined) return [];
    const repository = stringAt(item, 'repo');
    const version = stringAt(item, 'version');
    const pulled = repository !== undefined && version !== undefined;
    const folder = pulled ? `${home}/${name}-${version}/${name}` : `${home}/${name}`;
    return [{ name, folder, repository, version, path: ['helmCharts', index, 'name'] }];
  });
}

function generatorFiles(item: JsonValue, path: Path): Reference[] {
  const files = textsOf(memberOf(item, 'files'), 'file', [...path, 'files']);
  return [
    // 'key=path/of/file' gives the file another key than its name.
    ...files.map((file) => ({ ...file, target: file.target.slice(file.target.indexOf('=') + 1) })),
    ...textsOf(memberOf(item, 'envs'), 'file', [...path, 'envs']),
    ...textOf(item, 'file', [...path, 'env']),
  ];
}

function textsOf(value: JsonValue | undefined, kind: Reference['kind'], path: Path): Reference[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((target, index) =>
    typeof target === 'string' && !isInline(target) ? [{ kind, target, path: [...path, index] }] : [],
  );
}

function textOf(item: JsonValue | undefined, kind: Reference['kind'], path: Path): Reference[] {
  const target = stringAt(item, String(path.at(-1)));
  return target === undefined || target === '' ? [] : [{ kind, target, path }];
}

function memberOf(item: JsonValue, key: string): JsonValue | undefined {
  return isJsonObject(item) ? item[key] : undefined;
}

/** Patches and generators may stand in the list themselves instead of in a file. */
function isInline(text: string): boolean {
  return text.includes('\n') || /^\s*[{[]|^[\w.-]+:\s/.test(text);
}

/**
 * Whether kustomize would take this for something to fetch, given that nothing of that name is in the repository.
 * Source: kustomize's api/internal/git/repospec.go.
 */
export function isRemote(target: string): boolean {
  return (
    /^[a-z][a-z0-9+.-]*:\/\//i.test(target) ||
    /^[\w.-]+@[\w.-]+:/.test(target) ||
    /^[\w-]+(\.[\w-]+)*\.[a-z]{2,}[:/].*\//i.test(target) ||
    /[?&](ref|version|submodules|timeout)=|\.git(\/|$)/.test(target)
  );
}
