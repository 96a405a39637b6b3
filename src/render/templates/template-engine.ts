import { Context, Liquid, Output, type Template, toValueSync } from 'liquidjs';

import { registerFilters } from './filters/register-filters.ts';
import type { OutputMap } from './output-map.ts';
import { type Partials, partialText, resolvePartial } from './partials.ts';
import { Rendering } from './rendering.ts';
import type { TemplateData } from './template-data.ts';
import { explainFault, type TemplateFault } from './template-fault.ts';
import { scopeOf } from './template-scope.ts';

/** A template that was read; `file` is its path from the source's folder, or '' for one that stands in no file. */
export interface ParsedTemplate {
  readonly file: string;
  readonly templates: Template[];
}

export type Attempt<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: TemplateFault };

/** What a template gave, and where each part of it came from. */
export interface RenderedText {
  readonly text: string;
  readonly map: OutputMap;
}

/** Characters of one template. */
const parseLimit = 10 * 1024 * 1024;
/** How long one rendering may take; the limit on its work ends most that have no end, and this one the rest. */
const renderLimitMs = 5_000;
/** Characters and items that filters and ranges of one rendering may make. */
const memoryLimit = 10_000_000;

/** Liquid as templates of a fleet have it: strict, within limits, and with no way to anything outside of its source. */
export class TemplateEngine {
  readonly #liquid: Liquid;
  readonly #partials: Partials;
  readonly #parsedPartials = new Map<string, Template[]>();
  /** Rendering is synchronous, so that there is never more than one. */
  #rendering = new Rendering('');

  /** @param partials what templates may include. */
  constructor(partials: Partials = new Map()) {
    this.#partials = partials;
    this.#liquid = new Liquid({
      strictVariables: true,
      strictFilters: true,
      ownPropertyOnly: true,
      // A missing variable is a fault, but for `if` and `default`, which say what it means.
      lenientIf: true,
      templates: {},
      parseLimit,
      renderLimit: renderLimitMs,
      memoryLimit,
    });
    registerFilters(this.#liquid);
    this.#liquid.renderer.renderTemplates = (templates, context, emitter) =>
      this.#rendering.run(templates, context, emitter);
    const include = (name: unknown, _sync?: boolean, from = ''): Generator<unknown, Template[]> =>
      this.#include(name, from);
    this.#liquid._parsePartialFile = include;
    this.#liquid._parseLayoutFile = include;
  }

  /** Reads a template. Never throws. */
  parse(text: string, file = ''): Attempt<ParsedTemplate> {
    this.#rendering = new Rendering(file);
    return this.#attempt(() => ({ file, templates: this.#liquid.parse(text, file) }), {});
  }

  /** What a template gives for the data. Never throws. */
  render({ file, templates }: ParsedTemplate, data: TemplateData): Attempt<RenderedText> {
    const rendering = (this.#rendering = new Rendering(file));
    const scope = scopeOf(data);
    return this.#attempt(() => {
      const context = this.#context(scope);
      const text = toValueSync(rendering.run(templates, context, rendering.output()));
      return { text, map: rendering.map };
    }, scope);
  }

  /** The value of a template that is one output and nothing else; undefined for any other template. Never throws. */
  evaluate({ file, templates }: ParsedTemplate, data: TemplateData): Attempt<unknown> | undefined {
    const [output] = templates;
    if (!(output instanceof Output) || templates.length > 1) return undefined;
    const rendering = (this.#rendering = new Rendering(file));
    const scope = scopeOf(data);
    return this.#attempt(() => toValueSync(rendering.evaluate(output, this.#context(scope))), scope);
  }

  /** The variables are global, since what is included may use them, too. */
  #context(globals: object): Context {
    return new Context({}, this.#liquid.options, { sync: true, globals }, { liquid: this.#liquid });
  }

  *#include(name: unknown, from: string): Generator<unknown, Template[]> {
    yield;
    // The library takes what fails in a computed name for the name.
    if (name instanceof Error) throw name;
    if (typeof name !== 'string') throw new Error('the name of a file to include must be text');
    const path = resolvePartial(name, from);
    const known = this.#parsedPartials.get(path);
    if (known !== undefined) return known;
    const templates = this.#liquid.parse(partialText(this.#partials, path), path);
    this.#parsedPartials.set(path, templates);
    return templates;
  }

  #attempt<T>(work: () => T, scope: Readonly<Record<string, unknown>>): Attempt<T> {
    try {
      return { ok: true, value: work() };
    } catch (error) {
      const filters = Object.keys(this.#liquid.filters);
      const tags = Object.keys(this.#liquid.tags);
      return { ok: false, fault: explainFault(error, { rendering: this.#rendering, scope, filters, tags }) };
    }
  }
}
