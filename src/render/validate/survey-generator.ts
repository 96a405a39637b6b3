import type { ClusterFacts } from '../cluster-facts.ts';
import { chooseOverrides } from '../generators/choose-overrides.ts';
import { expandEach } from '../generators/expand-each.ts';
import type { Item } from '../generators/item.ts';
import { matchDirectories, matchFiles } from '../generators/match-paths.ts';
import type { SourceContext } from '../render-source.ts';
import type { ValidEntry } from '../repository/fleet-repository.ts';
import { renderTemplate, variablesOf } from '../templates/render-template.ts';
import type { TemplateData } from '../templates/template-data.ts';
import { matchesSelector } from '../../model/selector.ts';

/** What can be said of a generator without rendering it. */
export interface Survey {
  readonly entry: ValidEntry;
  /** The clusters that its selector matches. */
  readonly clusters: readonly ClusterFacts[];
  /** Indexes of overrides that apply to some of them, for some item. */
  readonly activeOverrides: ReadonlySet<number>;
  /** Folders and files that it reads, from the fleet's root. */
  readonly paths: ReadonlySet<string>;
}

export interface SurveyOptions {
  /** Whether the clusters are really called as they are, so that paths made of their names are known. */
  readonly namesKnown: boolean;
}

/**
 * Looks at what a generator is for and what it reads. A path that depends on what is not known counts for everything
 * below its fixed beginning: nothing may be called unused that is used.
 */
export async function surveyGenerator(
  entry: ValidEntry,
  clusters: readonly ClusterFacts[],
  { namesKnown, ...context }: SourceContext & SurveyOptions,
): Promise<Survey> {
  const { each, clusterSelector, sourcePath } = entry.generator;
  const matched = clusters.filter(({ labels }) => matchesSelector(clusterSelector, labels));
  const items: readonly (Item | undefined)[] =
    each === undefined ? [undefined] : (await expandEach(entry, each, context)).items;
  const paths = new Set(pathsOfItems(entry, context));
  const activeOverrides = new Set<number>();
  const readsCluster = variablesOf(sourcePath).paths.some(([root]) => root === 'cluster');
  if (matched.length === 0 || (readsCluster && !namesKnown)) paths.add(fixedBeginning(sourcePath));
  for (const cluster of matched) {
    for (const item of items) {
      const choice = chosen(entry, cluster, item);
      const active = choice?.overrides.map(({ index }) => index) ?? entry.generator.overrides.keys();
      for (const index of active) activeOverrides.add(index);
      for (const path of pathsWith(entry, choice?.data)) paths.add(path);
    }
  }
  return { entry, clusters: matched, activeOverrides, paths };
}

/** What a condition that fails would choose is not known; that it fails is told where it is rendered. */
function chosen(entry: ValidEntry, cluster: ClusterFacts, item: Item | undefined) {
  try {
    return chooseOverrides(entry, cluster, item);
  } catch {
    return undefined;
  }
}

/** The source and the files of values that a chart is given. */
function pathsWith({ generator }: ValidEntry, data: TemplateData | undefined): string[] {
  const source = pathOf(generator.sourcePath, data);
  const files = generator.render.helm?.valuesFiles ?? [];
  return [
    source,
    ...files.map(({ path }) => {
      const file = pathOf(path, data);
      return file.startsWith('/') ? normal(file) : normal(`${source}/${file}`);
    }),
  ];
}

function pathOf(template: string, data: TemplateData | undefined): string {
  const rendered = data === undefined ? undefined : renderTemplate(template, data);
  return rendered?.ok === true ? normal(rendered.text, template.startsWith('/')) : fixedBeginning(template);
}

/** The folder that a path lies in whatever its templates give. */
function fixedBeginning(template: string): string {
  const start = template.search(/\{[{%]/);
  if (start < 0) return normal(template);
  return normal(template.slice(0, start).split('/').slice(0, -1).join('/'));
}

function normal(path: string, isFromRoot = false): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return `${isFromRoot ? '/' : ''}${parts.join('/')}`;
}

/** Folders and files of which items are made are read, too, and what is excluded is left out by wish. */
function pathsOfItems({ generator }: ValidEntry, { snapshot }: SourceContext): string[] {
  return [generator.each?.directories, generator.each?.files].flatMap((patterns) => {
    if (patterns === undefined) return [];
    const all = { include: [...patterns.include, ...patterns.exclude], exclude: [] };
    return [...matchDirectories(snapshot.tree, all).matches, ...matchFiles(snapshot.tree, all).matches].map(
      ({ path }) => path,
    );
  });
}
