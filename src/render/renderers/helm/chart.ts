import type { YamlDocument } from '../../../config/yaml/parse-manifests.ts';
import { arrayAt, isJsonObject, stringAt } from '../../../model/json.ts';
import { nodeAt, type DirectoryNode } from '../../../model/snapshot.ts';
import { joinPath } from '../repository-path.ts';

/** A chart in the repository. */
export interface Chart {
  readonly folder: string;
  /** Its Chart.yaml. */
  readonly file: string;
  readonly document: YamlDocument;
  readonly name: string;
  /** Charts within it, by the name that helm's paths have: a folder's chart, or the path of an archive. */
  readonly subcharts: ReadonlyMap<string, Chart | string>;
}

export interface Dependency {
  readonly name: string;
  /** What it is called in this chart. */
  readonly alias: string | undefined;
  readonly version: string | undefined;
  readonly repository: string | undefined;
  /** Where in Chart.yaml. */
  readonly path: readonly (string | number)[];
}

/** What a chart says that it needs. */
export function dependenciesOf({ value }: YamlDocument): Dependency[] {
  return arrayAt(value, 'dependencies').flatMap((item, index) => {
    const name = stringAt(item, 'name');
    if (!isJsonObject(item) || name === undefined) return [];
    return [
      {
        name,
        alias: stringAt(item, 'alias'),
        version: stringAt(item, 'version'),
        repository: stringAt(item, 'repository'),
        path: ['dependencies', index],
      },
    ];
  });
}

/**
 * The file in the repository that helm calls 'shop/charts/redis/templates/service.yaml'. For a file within an archive
 * that is the archive. Undefined where it is no file of the chart.
 */
export function fileInChart(chart: Chart, helmPath: string, tree: DirectoryNode): string | undefined {
  const [name, ...rest] = helmPath.split('/');
  if (name !== chart.name) return undefined;
  let current = chart;
  while (rest[0] === 'charts' && rest.length > 2) {
    const subchart = current.subcharts.get(rest[1] ?? '');
    if (subchart === undefined) break;
    if (typeof subchart === 'string') return subchart;
    current = subchart;
    rest.splice(0, 2);
  }
  const path = joinPath(current.folder, rest.join('/'));
  return path !== undefined && nodeAt(tree, path)?.kind === 'file' ? path : undefined;
}
