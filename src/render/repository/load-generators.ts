import { decodeText } from '../../config/yaml/decode-text.ts';
import type { Generator } from '../../config/generator/generator.ts';
import { parseGenerator } from '../../config/generator/parse-generator.ts';
import { configFault } from '../../config/parse-document.ts';
import { parseManifests, type YamlDocument } from '../../config/yaml/parse-manifests.ts';
import { FleetError } from '../../model/fleet-error.ts';
import { stringAt } from '../../model/json.ts';
import { compareText } from '../../model/object-ref.ts';
import { nodeAt, type Snapshot } from '../../model/snapshot.ts';
import { type GeneratorEntry, nameOfGenerator, type ValidEntry } from './fleet-repository.ts';
import { faultsOfDependencies } from './generator-graph.ts';
import { listManifests, type ManifestEntry } from '../manifests/manifest-tree.ts';
import { faultsOfUnreadable, unreadableFile } from '../manifests/unreadable-file.ts';
import type { RenderCache } from '../render-cache.ts';

export interface LoadedGenerators {
  readonly generators: readonly GeneratorEntry[];
  readonly faults: readonly FleetError[];
}

/** Reads every file under generators/. */
export async function loadGenerators(snapshot: Snapshot, cache: RenderCache): Promise<LoadedGenerators> {
  const node = nodeAt(snapshot.tree, 'generators');
  if (node === undefined) return { generators: [], faults: [] };
  const tree = listManifests(node, 'generators');
  const faults = await faultsOfUnreadable(snapshot, tree.unreadable, '');
  const files = await Promise.all(
    tree.files.map((file) => cache.limit(() => readGeneratorFile(snapshot, file))),
  );
  for (const file of files) faults.push(...file.faults);
  return settleNames(
    files.flatMap((file) => file.generators),
    faults,
  );
}

function fileFault(file: string, message: string): FleetError {
  return new FleetError('ConfigInvalid', message, { origin: { generator: '', file, document: 1, line: 1 } });
}

async function readGeneratorFile(
  snapshot: Snapshot,
  { path, oid }: ManifestEntry,
): Promise<LoadedGenerators> {
  try {
    const decoded = decodeText(await snapshot.read(path));
    if (!decoded.ok) return { generators: [], faults: [fileFault(path, decoded.message)] };
    return parseGeneratorFile(decoded.text, path, oid);
  } catch (error) {
    return { generators: [], faults: [unreadableFile(error, { generator: '', file: path })] };
  }
}

function parseGeneratorFile(text: string, file: string, oid: string): LoadedGenerators {
  const { documents, faults } = parseManifests(text, { file, code: 'ConfigInvalid' });
  const all: FleetError[] = [...faults];
  const generators = documents.flatMap((document): GeneratorEntry[] => {
    const parsed = parseGenerator(document, { file });
    if (parsed.ok) {
      return [
        {
          state: 'valid',
          generator: parsed.value,
          file,
          document,
          key: `${oid} ${file} ${document.document}`,
        },
      ];
    }
    all.push(...parsed.faults);
    return brokenEntry(stringAt(document.value, 'metadata', 'name'));
  });
  return { generators, faults: all };
}

function brokenEntry(name: string | undefined): GeneratorEntry[] {
  return name === undefined ? [] : [{ state: 'broken', name, sync: {} }];
}

/** One entry a name: generators that share a name, or depend on what is not there, are broken. */
function settleNames(entries: readonly GeneratorEntry[], faults: readonly FleetError[]): LoadedGenerators {
  const byName = Map.groupBy(entries, nameOfGenerator);
  const all: FleetError[] = [...faults];
  const valid = new Map<string, ValidEntry>();
  for (const [name, namesakes] of byName) {
    const [first] = namesakes;
    if (namesakes.length === 1 && first?.state === 'valid') valid.set(name, first);
    else if (namesakes.length > 1) all.push(...faultsOfNamesakes(name, namesakes));
  }
  const dependsOn = new Map([...valid].map(([name, { generator }]) => [name, generator.dependsOn]));
  const inCircle = new Set<string>();
  for (const fault of faultsOfDependencies(dependsOn, new Set(byName.keys()))) {
    const entry = valid.get(fault.generator);
    if (entry === undefined) continue;
    inCircle.add(fault.generator);
    all.push(faultIn(entry, fault.message, ['spec', 'dependsOn', fault.index]));
  }
  const generators = [...byName.keys()].sort(compareText).map((name): GeneratorEntry => {
    const entry = valid.get(name);
    if (entry === undefined) return { state: 'broken', name, sync: {} };
    return inCircle.has(name) ? { state: 'broken', name, sync: entry.generator.sync } : entry;
  });
  return { generators, faults: all };
}

function faultsOfNamesakes(name: string, namesakes: readonly GeneratorEntry[]): FleetError[] {
  const valid = namesakes.filter((entry) => entry.state === 'valid');
  return valid.slice(1).map((entry) => {
    const first = valid[0] ?? entry;
    const message = `a second generator named ${JSON.stringify(name)}; the first is at ${first.file}:${first.document.line}`;
    return faultIn(entry, message, ['metadata', 'name']);
  });
}

/** A fault at a place of a generator's definition. */
export function faultIn(
  {
    generator,
    file,
    document,
  }: { readonly generator: Generator; readonly file: string; readonly document: YamlDocument },
  message: string,
  path: readonly (string | number)[],
): FleetError {
  return configFault(message, document, { file, generator: generator.name, path });
}
