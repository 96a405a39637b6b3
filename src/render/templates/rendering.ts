import { type Context, type Emitter, Output, type Template, type Token, toValue } from 'liquidjs';

import { textOf } from './filters/text-of.ts';
import { OutputMap } from './output-map.ts';

/** Tags, outputs and texts that one rendering may go through. Counted rather than timed, so that a slow machine changes nothing. */
const maxSteps = 500_000;
/** Characters that one rendering may write, captured ones included. */
const maxCharacters = 10 * 1024 * 1024;
/** Tags within tags, across included files. */
const maxDepth = 100;

/** Filters that say what a missing variable means. */
const lenientFilters: ReadonlySet<string> = new Set(['default', 'required']);

/** One rendering under way: what it has used up, where it is, and where what it wrote came from. */
export class Rendering {
  /** The tags that are being rendered, outermost first. After a fault: where it happened. */
  readonly trace: Token[] = [];
  readonly map: OutputMap;
  #steps = 0;
  #characters = 0;

  /** @param file the file that is rendered, as its tokens name it. */
  constructor(file: string) {
    this.map = new OutputMap(file);
  }

  /** Liquid's own loop over templates, with limits and a trace. @throws what a template throws */
  *run(templates: readonly Template[], context: Context, given?: Emitter): Generator<unknown, string> {
    const emitter = given ?? new CountedOutput(this);
    if (this.trace.length >= maxDepth)
      throw new Error(`the limit on depth: tags and included files go more than ${maxDepth} deep`);
    this.#step(context);
    for (const template of templates) {
      this.#step(context);
      this.trace.push(template.token);
      // A fault leaves the trace as it is, to tell where it happened.
      // A tag that is given an emitter mostly writes to it, and has no value then.
      emitter.write(
        yield template instanceof Output ? valueOf(template, context) : template.render(context, emitter),
      );
      this.trace.pop();
      if (context.breakCalled || context.continueCalled) break;
    }
    return emitter.buffer;
  }

  /** The value of an output. @throws what a template throws */
  *evaluate(output: Output, context: Context): Generator<unknown, unknown> {
    this.trace.push(output.token);
    const value: unknown = yield valueOf(output, context);
    this.trace.pop();
    return value;
  }

  /** The emitter for what the whole template writes. */
  output(): Emitter {
    return new CountedOutput(this, this.map);
  }

  countCharacters(count: number): void {
    this.#characters += count;
    if (this.#characters > maxCharacters)
      throw new Error(
        `the limit on output: more than ${maxCharacters / 1024 / 1024} Mi characters are written`,
      );
  }

  #step(context: Context): void {
    this.#steps++;
    if (this.#steps > maxSteps)
      throw new Error(`the limit on work: more than ${maxSteps} tags, outputs and texts are rendered`);
    context.renderLimit.check(performance.now());
  }
}

function* valueOf({ value }: Output, context: Context): Generator<unknown, unknown> {
  const [first] = value.filters;
  const result: unknown = toValue(
    yield value.value(context, first !== undefined && lenientFilters.has(first.name)),
  );
  return result;
}

class CountedOutput implements Emitter {
  buffer = '';
  readonly #rendering: Rendering;
  readonly #map: OutputMap | undefined;

  constructor(rendering: Rendering, map?: OutputMap) {
    this.#rendering = rendering;
    this.#map = map;
  }

  write(value: unknown): void {
    const text = textOf(value);
    if (text === '') return;
    this.#rendering.countCharacters(text.length);
    this.#map?.add(text, this.buffer.length, this.#rendering.trace);
    this.buffer += text;
  }
}
