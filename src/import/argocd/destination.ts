import type { JsonValue } from '../../model/json.ts';
import type { MapReader } from '../map-reader.ts';
import { clusterOfServer, inClusterName } from '../import-options.ts';
import type { Path } from '../notes.ts';
import { celText, celVariable, constantText, onlyVariable } from '../template/template.ts';
import { type ArgoContext, type Combination, translatorFor } from './combination.ts';

/** Where Applications go: every cluster that was picked, those for which a condition holds, or none that can be said. */
export type Destination =
  | { readonly kind: 'picked' }
  | { readonly kind: 'condition'; readonly condition: string }
  | { readonly kind: 'elsewhere' };

/** Keys of an element or a file that are likely to hold a cluster's name beside its server's URL. */
const nameKeys = ['cluster', 'clusterName', 'name'];

/**
 * In Argo CD each Application names its cluster; here a generator picks clusters. So a destination that is the
 * picked cluster needs no word, and any other is a condition on the cluster's name.
 */
export function readDestination(
  reader: MapReader | undefined,
  combination: Combination,
  context: ArgoContext,
): Destination {
  const key = reader?.text('name') === undefined ? 'server' : 'name';
  const text = reader?.text(key) ?? '';
  reader?.any(key === 'name' ? 'server' : 'name');
  const path = [...(reader?.path ?? []), key];
  if (combination.clusterSelector) return pickedOrElsewhere(text, path, context);
  const template = translatorFor(context, combination.sources)(text, path);
  const constant = constantText(template);
  if (constant !== undefined) {
    const name = key === 'name' ? constant : nameOfServer(constant, path, context);
    tellInCluster(name, path, context);
    return named(JSON.stringify(name));
  }
  if (key === 'server') return serverOfItem(onlyVariable(template), { path, combination, context });
  const name = celText(template);
  if (name !== undefined) return named(name);
  context.notes.add('unsupported', path, {
    message: 'a cluster whose name is computed has no equal',
    remedy: 'Say in `when` which cluster an item is for.',
  });
  return named('"cluster-of-this-item"');
}

function named(name: string): Destination {
  return { kind: 'condition', condition: `cluster.name == ${name}` };
}

function pickedOrElsewhere(text: string, path: Path, { notes }: ArgoContext): Destination {
  if (/^\{\{-?\s*\.?(server|name|nameNormalized)\s*-?\}\}$/.test(text)) return { kind: 'picked' };
  notes.add('unsupported', path, {
    message: `clusters are picked, and what is rendered for each goes to ${text === '' ? 'another place' : text}: here it always goes to the cluster itself`,
    remedy:
      'Write a list or files with an item for each cluster, and pick the one cluster that all of them go to.',
  });
  return { kind: 'elsewhere' };
}

function nameOfServer(server: string, path: Path, { notes, options }: ArgoContext): string {
  const name = clusterOfServer(server, options);
  if (name !== undefined) return name;
  notes.add('unsupported', path, {
    message: `clusters are known by name, and which one ${server === '' ? 'this is' : `${server} is`} is not said here`,
    remedy: `Put its name into \`when\`, or say it with --server ${server}=NAME.`,
  });
  return `cluster at ${server}`;
}

function tellInCluster(name: string, path: Path, { notes, options }: ArgoContext): void {
  if (name !== inClusterName || [...options.servers.values()].includes(name)) return;
  notes.addOnce('changed', path, {
    message: `the cluster that Argo CD runs in is ${inClusterName}`,
    remedy: `Register it under that name, or say its name with --server https://kubernetes.default.svc=NAME.`,
  });
}

interface ItemPlace {
  readonly path: Path;
  readonly combination: Combination;
  readonly context: ArgoContext;
}

/** A server that an item names: the item's cluster is known by URL alone, or by a name beside it. */
function serverOfItem(
  variable: ReturnType<typeof onlyVariable>,
  { path, combination, context }: ItemPlace,
): Destination {
  const list = combination.list ?? [];
  const key = variable?.length === 2 ? variable[1] : undefined;
  const servers = key === undefined ? [] : [...new Set(list.map((element) => textOf(element[key])))];
  const names = servers.map((server) => clusterOfServer(server, context.options));
  const [name] = names;
  if (variable !== undefined && name !== undefined && !names.includes(undefined)) {
    names.forEach((each) => {
      tellInCluster(each ?? '', path, context);
    });
    if (names.length === 1) return named(JSON.stringify(name));
    const entries = servers.map((server, index) => [server, names[index]]);
    return named(`${JSON.stringify(Object.fromEntries(entries))}[${celVariable(variable)}]`);
  }
  const beside = nameKeys.find(
    (each) => list.length > 0 && list.every((element) => typeof element[each] === 'string'),
  );
  const found = beside === undefined ? nameBeside(variable) : ['item', beside];
  context.notes.add(found === undefined ? 'unsupported' : 'changed', path, {
    message:
      found === undefined
        ? 'clusters are known by name, and the items name only URLs'
        : `an item's cluster is the one named ${celVariable(found)}, whatever its URL is`,
    remedy: 'Register the clusters under these names, or say what they are with --server URL=NAME for each.',
  });
  return named(found === undefined ? '"cluster-of-this-item"' : celVariable(found));
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Of files nothing is at hand; where `cluster.address` is the URL, `cluster.name` is as good a guess as any. */
function nameBeside(variable: ReturnType<typeof onlyVariable>): (string | number)[] | undefined {
  if (variable === undefined || variable[0] !== 'item') return undefined;
  const folder = variable.slice(0, -1);
  return folder.length > 1 ? [...folder, 'name'] : ['item', 'cluster'];
}
