import { configFault } from '../config/parse-document.ts';
import { parseGenerator } from '../config/generator/parse-generator.ts';
import { decodeText } from '../config/yaml/decode-text.ts';
import { parseManifests, type YamlDocument } from '../config/yaml/parse-manifests.ts';
import { didYouMean } from '../config/schema/suggestion.ts';
import { FleetError } from '../model/fleet-error.ts';
import { isJsonObject, type JsonObject } from '../model/json.ts';
import type { Finding, ImportedGenerator, ImportResult } from '../model/import-result.ts';
import { translateApplicationSet } from './argocd/application-set.ts';
import { joinClusters } from './flux/join-clusters.ts';
import { readKustomization } from './flux/kustomization.ts';
import { generatorDocument, type GeneratorDraft } from './generator-draft.ts';
import type { ImportOptions } from './import-options.ts';
import { Notes, type Path } from './notes.ts';

export const importFormats = ['argocd-applicationset', 'flux-kustomization'] as const;
export type ImportFormat = (typeof importFormats)[number];

export interface ImportFile {
  /** As the person named it; '-' for what was piped in. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

const kinds = {
  'argocd-applicationset': { group: 'argoproj.io', kind: 'ApplicationSet' },
  'flux-kustomization': { group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization' },
} as const;

/** Translates documents of another tool into generators. Everything that is wrong is in the result; nothing is thrown. */
export function importDocuments(
  files: readonly ImportFile[],
  format: ImportFormat,
  options: ImportOptions,
): ImportResult {
  const faults: FleetError[] = [];
  const read = files.flatMap((file) => readObjects(file, format, faults));
  const drafts =
    format === 'argocd-applicationset'
      ? read.flatMap(({ value, notes }) => translateApplicationSet(value, notes, options))
      : joinClusters(read.flatMap(({ value, notes }) => readKustomization(value, notes, options) ?? []));
  const generators = withDistinctNames(drafts);
  return {
    documents: read.length,
    generators,
    findings: read.flatMap(({ notes }) => inOrder(notes.findings)),
    faults: [...faults, ...read.flatMap(({ notes }) => notes.faults)],
  };
}

interface ReadObject {
  readonly value: JsonObject;
  readonly notes: Notes;
}

function readObjects({ name, bytes }: ImportFile, format: ImportFormat, faults: FleetError[]): ReadObject[] {
  const decoded = decodeText(bytes);
  const whole = { generator: '', file: name, document: 1, line: 1, column: 1 };
  if (!decoded.ok) {
    faults.push(new FleetError('ConfigInvalid', decoded.message, { origin: whole }));
    return [];
  }
  const parsed = parseManifests(decoded.text, { file: name, code: 'ConfigInvalid' });
  faults.push(...parsed.faults);
  if (parsed.documents.length === 0 && parsed.faults.length === 0) {
    faults.push(new FleetError('ConfigInvalid', 'the file holds no document', { origin: whole }));
  }
  return parsed.documents.flatMap((document) =>
    objectsOf(document).flatMap(({ value, root }) => {
      const message = faultOfKind(value, format);
      if (message === undefined) return [{ value, notes: new Notes(document, name, root) }];
      faults.push(configFault(message, document, { file: name, path: [...root, 'kind'] }));
      return [];
    }),
  );
}

/** `kubectl get -o yaml` gives a List of what it found. */
function objectsOf({ value }: YamlDocument): { readonly value: JsonObject; readonly root: Path }[] {
  const items = value['items'];
  if (value['kind'] !== 'List' || !Array.isArray(items)) return [{ value, root: [] }];
  return items.flatMap((item, index) =>
    isJsonObject(item) ? [{ value: item, root: ['items', index] as const }] : [],
  );
}

/** Why an object is not of the kind that is imported; undefined where it is. */
function faultOfKind({ kind: found, apiVersion }: JsonObject, format: ImportFormat): string | undefined {
  const { group, kind } = kinds[format];
  const foundGroup = typeof apiVersion === 'string' ? apiVersion.replace(/\/[^/]*$/, '') : '';
  if (found === kind && foundGroup === group) return undefined;
  const wanted = `only ${kind} of ${group} is read`;
  if (typeof found !== 'string') return `is missing; ${wanted}`;
  if (foundGroup === 'kustomize.config.k8s.io') {
    return `this is a file of Kustomize itself, which needs no translation: point source.path at its folder; ${wanted}`;
  }
  if (found === 'Application') {
    return 'Application is not read; write an ApplicationSet with a list of one element, whose template it is';
  }
  const other = Object.entries(kinds).find(([, each]) => each.kind === found && each.group === foundGroup);
  if (other !== undefined) return `${found} is read by fleetwright import ${other[0]}`;
  return `${found} of ${foundGroup === '' ? 'the core group' : foundGroup} is not read; ${wanted}${didYouMean(found, [kind])}`;
}

/** By their place in the document, not by the order in which the translation came to speak of them. */
function inOrder(findings: readonly Finding[]): Finding[] {
  return [...findings].sort(
    ({ origin: a }, { origin: b }) => a.line - b.line || (a.column ?? 0) - (b.column ?? 0),
  );
}

/** Names are the fleet's: a second generator of a name gets a number. */
function withDistinctNames(drafts: readonly GeneratorDraft[]): ImportedGenerator[] {
  const taken = new Set<string>();
  return drafts.map(({ name: wanted, spec, notes, namePath }) => {
    const name = wanted === '' ? 'imported' : wanted;
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${name}-${number}`;
    taken.add(free);
    if (free !== name) {
      notes.add('changed', namePath, {
        message: `its generator is named ${free}, as another is named ${name}`,
      });
    }
    const document = generatorDocument(free, spec);
    checkGenerator(document, notes);
    return { name: free, document, origin: notes.originOf([]) };
  });
}

/** What is wrong in the foreign document may be wrong in ours, and is said at once instead of after the commit. */
function checkGenerator(document: JsonObject, notes: Notes): void {
  const { line, column = 1 } = notes.originOf([]);
  const parsed = parseGenerator(
    { value: document, document: 1, line, locate: () => ({ line, column }) },
    { file: notes.file },
  );
  if (parsed.ok) return;
  for (const { message } of parsed.faults) {
    notes.add('unsupported', [], {
      message: `the generator is not valid as it stands: ${message}`,
      remedy: 'Mend it before it is committed.',
    });
  }
}
