import type { Context, FilterImplOptions, Liquid } from 'liquidjs';

import { ownFilters } from './own-filters.ts';

type Handler = Extract<FilterImplOptions, (...args: never[]) => unknown>;

/** The same revision must give the same manifests each time. */
const changing = [
  'date',
  'date_to_xmlschema',
  'date_to_rfc822',
  'date_to_string',
  'date_to_long_string',
  'sample',
];
/** What these read stands in a text, so that nobody can tell beforehand what a template depends on. */
const expressions = ['where_exp', 'reject_exp', 'group_by_exp', 'has_exp', 'find_exp', 'find_index_exp'];
/** Liquid looks for the named property in the item, and then among the template's own variables. */
const ofItems = ['where', 'reject', 'group_by', 'has', 'find', 'find_index'];

/** Gives an engine our filters, and takes away those that have no place in a manifest. */
export function registerFilters(engine: Liquid): void {
  for (const name of changing) refuse(engine, name, 'its result changes from one rendering to the next');
  for (const name of expressions) refuse(engine, name, `use ${name.replace('_exp', '')}`);
  for (const name of ofItems) {
    const filter = handlerOf(engine, name);
    engine.registerFilter(name, function (value: unknown, ...args: unknown[]): unknown {
      return filter.call({ ...this, context: itemContext(this.context) }, value, ...args);
    });
  }
  for (const [name, filter] of Object.entries(ownFilters)) engine.registerFilter(name, filter);
  for (const name of Object.keys(engine.filters)) bound(engine, name);
}

function refuse(engine: Liquid, name: string, reason: string): void {
  engine.registerFilter(name, () => {
    throw new Error(`the filter ${name} is not available: ${reason}`);
  });
}

/** A context in which an item's properties are all there is; one that an item lacks is merely missing. */
function itemContext(context: Context): Context {
  return Object.assign(context.spawn(), { globals: {}, strictVariables: false });
}

/** Counts the text that a filter makes: chained, some that count nothing would double it each time. */
function bound(engine: Liquid, name: string): void {
  const filter = handlerOf(engine, name);
  engine.registerFilter(name, function (value: unknown, ...args: unknown[]) {
    const result: unknown = filter.call(this, value, ...args);
    if (typeof result === 'string') this.context.memoryLimit.use(result.length);
    return result;
  });
}

/** Filters of the library are functions, but for `raw`, which changes nothing here. */
function handlerOf(engine: Liquid, name: string): Handler {
  const filter = engine.filters[name];
  return typeof filter === 'function' ? filter : (value: unknown) => value;
}
