import { maxItems } from '../../config/generator/each-schema.ts';
import type { Each } from '../../config/generator/generator.ts';
import type { FleetError } from '../../model/fleet-error.ts';
import type { JsonObject } from '../../model/json.ts';
import { formatOrigin } from '../../model/origin.ts';
import type { SourceContext } from '../render-source.ts';
import type { ValidEntry } from '../repository/fleet-repository.ts';
import { generatorFault, originIn } from './generator-fault.ts';
import { type Item, joinMaps } from './item.ts';
import { matchDirectories, matchFiles } from './match-paths.ts';
import { multiplyItems } from './multiply-items.ts';
import { readItemFile } from './read-item-file.ts';

/** The items of a generator, in stable order, and what is wrong with those that are missing. */
export interface Expansion {
  readonly items: readonly Item[];
  readonly faults: readonly FleetError[];
  readonly warnings: readonly string[];
}

/** One kind's items, or why there are not all. */
export interface Kind extends Expansion {
  readonly name: keyof Each;
}

/** What `each` gives at a revision. It is the same for all clusters, and made once for them. */
export async function expandEach(entry: ValidEntry, each: Each, context: SourceContext): Promise<Expansion> {
  const { tree } = context.snapshot;
  const known = context.cache.expansions.get(tree) ?? new Map<string, Promise<Expansion>>();
  context.cache.expansions.set(tree, known);
  const pending = known.get(entry.key) ?? expand(entry, each, context);
  known.set(entry.key, pending);
  const expansion = await pending;
  // A blob that could not be read may be readable next time.
  if (expansion.faults.some(({ retry }) => retry !== 'never')) known.delete(entry.key);
  return expansion;
}

async function expand(entry: ValidEntry, each: Each, context: SourceContext): Promise<Expansion> {
  const kinds: Kind[] = [];
  if (each.list !== undefined) kinds.push(itemsOfList(each.list));
  if (each.directories !== undefined) kinds.push(itemsOfDirectories(entry, each.directories, context));
  if (each.files !== undefined) kinds.push(await itemsOfFiles(entry, each.files, context));
  const faults = kinds.flatMap((kind) => kind.faults);
  const warnings = kinds.flatMap((kind) => kind.warnings);
  const count = kinds.reduce((product, { items }) => product * items.length, 1);
  if (count > maxItems) {
    const message = `each: it gives ${count} items, and may give at most ${maxItems}`;
    return {
      items: [],
      faults: [...faults, generatorFault(entry, message, { path: ['spec', 'each'] })],
      warnings,
    };
  }
  const { items, clashes } = multiplyItems(kinds);
  const clashFaults = clashes.map((message) =>
    generatorFault(entry, `each: ${message}`, { path: ['spec', 'each'] }),
  );
  return { items, faults: [...faults, ...clashFaults], warnings };
}

function itemsOfList(list: readonly JsonObject[]): Kind {
  const items = list.map((value, index) => ({ value, own: value, label: `item ${index + 1} of the list` }));
  return { name: 'list', items, faults: [], warnings: [] };
}

type Patterns = NonNullable<Each['directories']>;

function itemsOfDirectories(entry: ValidEntry, patterns: Patterns, { snapshot }: SourceContext): Kind {
  const { matches, idle } = matchDirectories(snapshot.tree, patterns);
  const items = matches.map(({ path }): Item => {
    const segments = path.split('/');
    return { value: { directory: { path, name: segments.at(-1) ?? '', segments } }, own: {}, label: path };
  });
  return { name: 'directories', items, faults: [], warnings: idleWarnings(entry, 'directories', idle) };
}

async function itemsOfFiles(entry: ValidEntry, patterns: Patterns, context: SourceContext): Promise<Kind> {
  const { matches, idle } = matchFiles(context.snapshot.tree, patterns);
  const warnings = idleWarnings(entry, 'files', idle);
  if (matches.length > maxItems) {
    const message = `each.files: ${matches.length} files match, and at most ${maxItems} may`;
    const fault = generatorFault(entry, message, { path: ['spec', 'each', 'files', 'path'] });
    return { name: 'files', items: [], faults: [fault], warnings };
  }
  const generator = entry.generator.name;
  const files = await Promise.all(
    matches.map(async ({ path, node: { oid } }) => ({
      path,
      ...(await readItemFile({ path, oid, generator }, context)),
    })),
  );
  const clashes = files.filter(({ maps }) => maps.some((map) => Object.hasOwn(map, 'file')));
  const faults = clashes.map(({ path }) =>
    generatorFault(entry, `each.files: ${path} has a key "file", which is what item.file is for`, {
      path: ['spec', 'each', 'files'],
    }),
  );
  return {
    name: 'files',
    items: files.filter((file) => !clashes.includes(file)).flatMap(itemsOfFile),
    faults: [...files.flatMap((file) => file.faults), ...faults],
    warnings,
  };
}

function itemsOfFile({
  path,
  maps,
}: {
  readonly path: string;
  readonly maps: readonly JsonObject[];
}): Item[] {
  const slash = path.lastIndexOf('/');
  const file = { path, directory: path.slice(0, Math.max(slash, 0)), name: path.slice(slash + 1) };
  return maps.map((own, index) => ({
    value: joinMaps(own, { file }),
    own,
    label: maps.length === 1 ? path : `item ${index + 1} of ${path}`,
  }));
}

/** That nothing matches may be meant, and is said all the same, unless the source is optional. */
function idleWarnings(entry: ValidEntry, kind: 'directories' | 'files', idle: readonly string[]): string[] {
  if (entry.generator.optional) return [];
  const at = formatOrigin(originIn(entry, ['spec', 'each', kind, 'path']));
  const what = kind === 'directories' ? 'folder' : 'file';
  return idle.map((glob) => `${at}: each.${kind}: no ${what} matches ${JSON.stringify(glob)}`);
}
