import { decodeText } from '../../../config/yaml/decode-text.ts';
import { parseManifests, type YamlDocument } from '../../../config/yaml/parse-manifests.ts';
import { FleetError } from '../../../model/fleet-error.ts';
import { stringAt } from '../../../model/json.ts';
import { nodeAt, type Snapshot, type TreeNode } from '../../../model/snapshot.ts';
import { unreadableFile } from '../../manifests/unreadable-file.ts';
import type { Placement } from '../../tools/stage-files.ts';
import { joinPath } from '../repository-path.ts';
import { type Study, studyOnce } from '../study-once.ts';
import { faultsOfLinks } from '../tool-rendering.ts';
import { hasUnsteadyTemplates } from './unsteady-templates.ts';
import { type Chart, type Dependency, dependenciesOf } from './chart.ts';

/** A chart with all that helm must see to render it. */
export interface ChartStudy extends Study {
  /** Missing when there is none that can be read. */
  readonly chart: Chart | undefined;
  /** What helm must find where. */
  readonly placements: readonly Placement[];
  /** Whether its templates speak of what differs from one rendering to the next; not known of archives. */
  readonly isUnsteady: boolean;
}

/** Of local dependencies; beyond it they are a mistake. */
const maxPlacements = 100;

/** Looks at the chart in `folder` and at the charts in it. Never throws. */
export function studyChart(snapshot: Snapshot, folder: string, generator: string): Promise<ChartStudy> {
  return studyOnce(snapshot, { folder, key: JSON.stringify(['helm', generator, folder]) }, async () => {
    const walk = new ChartWalk(snapshot, generator);
    walk.place(folder, folder);
    const chart = await walk.read(folder, { at: folder, trail: [] });
    const { placements } = walk;
    const folders = placements.map(({ path }) => path);
    const faults = [...walk.faults, ...(await faultsOfLinks(snapshot, folders, generator))];
    const isUnsteady = faults.length === 0 && (await hasUnsteadyTemplates(snapshot, folders));
    return { chart, placements, folders, faults, isUnsteady };
  });
}

interface Place {
  /** Where helm finds the folder. */
  readonly at: string;
  /** The folders of the charts that this one is for, outermost first. */
  readonly trail: readonly string[];
}

class ChartWalk {
  readonly placements: Placement[] = [];
  readonly faults: FleetError[] = [];
  readonly #snapshot: Snapshot;
  readonly #generator: string;

  constructor(snapshot: Snapshot, generator: string) {
    this.#snapshot = snapshot;
    this.#generator = generator;
  }

  place(path: string, at: string): void {
    this.placements.push({ path, at });
  }

  /** The chart of a folder. */
  async read(folder: string, place: Place): Promise<Chart | undefined> {
    const file = joinPath(folder, 'Chart.yaml') ?? '';
    const document = await this.#readDocument(file);
    if (document === undefined) return undefined;
    const found = await this.#readVendored(folder, place);
    for (const dependency of dependenciesOf(document)) {
      const { name, alias, repository } = dependency;
      if (!found.has(name) && repository?.startsWith('file://') === true) {
        const local = await this.#readLocal({ folder, file, document }, dependency, place);
        if (local !== undefined) found.set(name, local);
      } else if (!found.has(name) && !hasStrangeArchive(found, document)) {
        this.#fault({ file, document }, dependency, missingDependency(dependency, folder));
      }
      const subchart = found.get(name);
      if (alias !== undefined && subchart !== undefined) found.set(alias, subchart);
    }
    return { folder, file, document, name: stringAt(document.value, 'name') ?? '', subcharts: found };
  }

  /** What lies in charts/. */
  async #readVendored(folder: string, { at, trail }: Place): Promise<Map<string, Chart | string>> {
    const found = new Map<string, Chart | string>();
    const node = nodeAt(this.#snapshot.tree, `${folder}/charts`);
    if (node?.kind !== 'directory') return found;
    for (const [name, child] of node.children) {
      const path = `${folder === '' ? '' : `${folder}/`}charts/${name}`;
      const archive = /^(?<chart>.+?)-v?\d+\.\d+\.\d+.*\.tgz$/.exec(name)?.groups?.['chart'];
      if (child.kind === 'file' && name.endsWith('.tgz')) found.set(archive ?? name, path);
      if (!holdsChart(child)) continue;
      const chart = await this.read(path, { at: `${at}/charts/${name}`, trail: [...trail, folder] });
      if (chart !== undefined) found.set(chart.name, chart);
    }
    return found;
  }

  /** A chart elsewhere in the repository, which helm gets to see in charts/ as if it had been vendored. */
  async #readLocal(
    from: Pick<Chart, 'folder' | 'file' | 'document'>,
    dependency: Dependency,
    { at, trail }: Place,
  ): Promise<Chart | undefined> {
    const path = joinPath(from.folder, dependency.repository?.slice('file://'.length) ?? '');
    const node = path === undefined ? undefined : nodeAt(this.#snapshot.tree, path);
    if (path === undefined || node === undefined || !holdsChart(node)) {
      this.#fault(
        from,
        dependency,
        `there is no chart at ${path ?? dependency.repository ?? ''} in the repository`,
      );
      return undefined;
    }
    const circle = [...trail, from.folder, path];
    if (circle.indexOf(path) < circle.length - 1 || this.placements.length > maxPlacements) {
      this.#fault(from, dependency, `charts depend on each other in a circle: ${circle.join(' → ')}`);
      return undefined;
    }
    const target = `${at}/charts/${dependency.name}`;
    this.place(path, target);
    return await this.read(path, { at: target, trail: [...trail, from.folder] });
  }

  async #readDocument(file: string): Promise<YamlDocument | undefined> {
    try {
      const decoded = decodeText(await this.#snapshot.read(file));
      if (!decoded.ok) throw new FleetError('RenderFailed', decoded.message);
      const parsed = parseManifests(decoded.text, { file, generator: this.#generator, code: 'RenderFailed' });
      this.faults.push(...parsed.faults);
      return parsed.documents[0];
    } catch (error) {
      this.faults.push(unreadableFile(error, { generator: this.#generator, file }));
      return undefined;
    }
  }

  #fault({ file, document }: Pick<Chart, 'file' | 'document'>, { path }: Dependency, message: string): void {
    const { line, column } = document.locate(path);
    const origin = { generator: this.#generator, file, document: document.document, line, column };
    this.faults.push(new FleetError('RenderFailed', message, { origin }));
  }
}

function holdsChart(node: TreeNode): boolean {
  return node.kind === 'directory' && node.children.get('Chart.yaml')?.kind === 'file';
}

/** An archive may hold a chart of another name than its own; then only helm can tell what is missing. */
function hasStrangeArchive(found: ReadonlyMap<string, Chart | string>, document: YamlDocument): boolean {
  const wanted = new Set(dependenciesOf(document).map(({ name }) => name));
  return [...found].some(([name, chart]) => typeof chart === 'string' && !wanted.has(name));
}

function missingDependency({ name, version, repository }: Dependency, folder: string): string {
  const which = [name, version].filter((part) => part !== undefined).join(' ');
  const from = repository === undefined || repository === '' ? '' : ` of ${repository}`;
  return (
    `the dependency ${which}${from} is not vendored, and nothing is fetched while rendering; ` +
    `run helm dependency update ${folder} and commit ${folder}/charts/`
  );
}
