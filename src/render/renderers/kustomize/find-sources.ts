import { parseManifests, type YamlDocument } from '../../../config/yaml/parse-manifests.ts';
import { decodeText } from '../../../config/yaml/decode-text.ts';
import { FleetError } from '../../../model/fleet-error.ts';
import { nodeAt, type Snapshot } from '../../../model/snapshot.ts';
import { faultsOfUnreadable, unreadableFile } from '../../manifests/unreadable-file.ts';
import {
  chartsOf,
  type ChartReference,
  isRemote,
  kustomizationNames,
  type Reference,
  referencesOf,
} from './kustomization.ts';
import { joinPath, outermost } from '../repository-path.ts';
import { type Study, studyOnce } from '../study-once.ts';
import { faultsOfLinks } from '../tool-rendering.ts';

/** All that a kustomization is made of. */
export interface KustomizeSources extends Study {
  /** Folders that hold everything, none within another. */
  readonly folders: readonly string[];
  /** Every kustomization that is reached, the source's own first. */
  readonly kustomizations: readonly Kustomization[];
  /** Folders of charts that are inflated. */
  readonly charts: readonly string[];
  /** Files of patches. */
  readonly patches: readonly string[];
  /** What is missing or not allowed. */
  readonly faults: readonly FleetError[];
}

export interface Kustomization {
  readonly folder: string;
  readonly file: string;
  readonly text: string;
  readonly document: YamlDocument;
}

/** Follows what the kustomization in `folder` names, through all others that it reaches. Never throws. */
export function findSources(
  snapshot: Snapshot,
  folder: string,
  generator: string,
): Promise<KustomizeSources> {
  return studyOnce(snapshot, { folder, key: JSON.stringify(['kustomize', generator, folder]) }, async () => {
    const walk = new Walk(snapshot, generator);
    await walk.visit(folder);
    const sources = walk.result();
    const links = await faultsOfLinks(snapshot, sources.folders, generator);
    return { ...sources, faults: [...sources.faults, ...links] };
  });
}

class Walk {
  readonly #snapshot: Snapshot;
  readonly #generator: string;
  readonly #folders = new Set<string>();
  readonly #charts = new Set<string>();
  readonly #patches = new Set<string>();
  readonly #kustomizations: Kustomization[] = [];
  readonly #faults: FleetError[] = [];

  constructor(snapshot: Snapshot, generator: string) {
    this.#snapshot = snapshot;
    this.#generator = generator;
  }

  result(): KustomizeSources {
    return {
      folders: outermost([...this.#folders, ...this.#charts]),
      kustomizations: this.#kustomizations,
      charts: [...this.#charts],
      patches: [...this.#patches],
      faults: this.#faults,
    };
  }

  async visit(folder: string): Promise<void> {
    // A circle is for kustomize to tell: it knows the way.
    if (this.#folders.has(folder)) return;
    this.#folders.add(folder);
    const kustomization = await this.#read(folder);
    if (kustomization === undefined) return;
    this.#kustomizations.push(kustomization);
    for (const reference of referencesOf(kustomization.document.value)) {
      await this.#follow(kustomization, reference);
    }
    for (const chart of chartsOf(kustomization.document.value)) this.#checkChart(kustomization, chart);
  }

  /** The kustomization of a folder that has one. */
  async #read(folder: string): Promise<Kustomization | undefined> {
    const file = this.#fileOf(folder);
    if (file === undefined) return undefined;
    try {
      const decoded = decodeText(await this.#snapshot.read(file));
      if (!decoded.ok) throw new FleetError('RenderFailed', decoded.message);
      const parsed = parseManifests(decoded.text, { file, generator: this.#generator, code: 'RenderFailed' });
      this.#faults.push(...parsed.faults);
      const [document] = parsed.documents;
      return document === undefined ? undefined : { folder, file, text: decoded.text, document };
    } catch (error) {
      this.#faults.push(unreadableFile(error, { generator: this.#generator, file }));
      return undefined;
    }
  }

  #fileOf(folder: string): string | undefined {
    const node = nodeAt(this.#snapshot.tree, folder);
    if (node?.kind !== 'directory') return undefined;
    const name = kustomizationNames.find((candidate) => node.children.has(candidate));
    return name === undefined ? undefined : joinPath(folder, name);
  }

  async #follow(from: Kustomization, reference: Reference): Promise<void> {
    const { kind, target, path } = reference;
    const fault = (message: string): void => {
      this.#fault(from, path, message);
    };
    const at = joinPath(from.folder, target);
    const node = at === undefined ? undefined : nodeAt(this.#snapshot.tree, at);
    if (at === undefined || node === undefined) {
      fault(faultOfMissing(target, at));
      return;
    }
    switch (node.kind) {
      case 'directory':
        if (kind !== 'base') return;
        if (this.#fileOf(at) === undefined) fault(`${at} holds no kustomization.yaml`);
        else await this.visit(at);
        return;
      case 'file':
        if (!isBelow(at, from.folder)) fault(outsideMessage(at, from.folder));
        else if (kind === 'patch') this.#patches.add(at);
        return;
      case 'symlink':
      case 'submodule':
        // Told with all other links of the folders, unless it lies in none of them.
        if (!isBelow(at, from.folder)) {
          this.#faults.push(...(await faultsOfUnreadable(this.#snapshot, [at], this.#generator)));
        }
    }
  }

  #checkChart(from: Kustomization, chart: ChartReference): void {
    const folder = joinPath(from.folder, chart.folder);
    const node =
      folder === undefined ? undefined : nodeAt(this.#snapshot.tree, joinPath(folder, 'Chart.yaml') ?? '');
    if (folder !== undefined && node?.kind === 'file') this.#charts.add(folder);
    else this.#fault(from, chart.path, missingChart(chart, folder ?? chart.folder));
  }

  #fault(from: Kustomization, path: Reference['path'], message: string): void {
    const { line, column } = from.document.locate(path);
    const origin = {
      generator: this.#generator,
      file: from.file,
      document: from.document.document,
      line,
      column,
    };
    this.#faults.push(new FleetError('RenderFailed', message, { origin }));
  }
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

function faultOfMissing(target: string, at: string | undefined): string {
  if (isRemote(target)) {
    return (
      `${target} is not in this repository, and nothing is fetched while rendering; commit what it gives, ` +
      'for instance with kustomize localize, and name that folder'
    );
  }
  return at === undefined ? `${target} leaves the repository` : `there is no ${at} in the repository`;
}

function outsideMessage(file: string, folder: string): string {
  return (
    `${file} is outside of ${folder}, and kustomize reads single files only at or below the kustomization that names ` +
    'them; give its folder a kustomization.yaml and name the folder'
  );
}

function missingChart({ name, repository, version }: ChartReference, folder: string): string {
  const parent = folder.slice(0, -name.length - 1);
  const from = repository === undefined ? '' : ` --repo ${repository}`;
  const at = version === undefined ? '' : ` --version ${version}`;
  return (
    `the chart ${name} is not in this repository, and nothing is fetched while rendering; vendor it with ` +
    `helm pull ${name}${from}${at} --untar --untardir ${parent} and commit ${folder}`
  );
}
