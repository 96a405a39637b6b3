import { EVENT_ID, type Event, getScalarValue, SCALAR_STYLE } from 'js-yaml';

import { isJsonObject, type JsonObject, type JsonValue } from '../../model/json.ts';
import { offsetOf } from './yaml-positions.ts';
import { keyOf, resolvePlainScalar, resolveTaggedScalar, type Scalar, shortTag } from './yaml-scalar.ts';

/** A fault at an offset of the text. */
export interface ComposeFault {
  readonly offset: number;
  readonly message: string;
}

/** `weight` is the size of what the node expands to, so that aliases can be charged for what they repeat. */
interface Node {
  readonly value: JsonValue;
  readonly weight: number;
  readonly depth: number;
  readonly isMerge?: boolean;
}

/** What aliases may add to one document: an API server takes no larger object. */
const aliasBudget = 3 * 1024 * 1024;
const maxDepth = 100;
/** A document with more is broken as a whole; a list of thousands helps nobody. */
const maxFaults = 100;
const nothing: Node = { value: null, weight: 1, depth: 0 };

/** Builds one document's JSON value from its events, collecting every fault on the way. */
export class DocumentComposer {
  readonly faults: ComposeFault[] = [];
  readonly #text: string;
  readonly #events: readonly Event[];
  readonly #tagHandles: ReadonlyMap<string, string>;
  readonly #anchors = new Map<string, Node | 'open'>();
  #next = 0;
  #aliased = 0;
  #last = 0;

  /** `events` are those of one document, without its own start and end. */
  constructor(text: string, events: readonly Event[], tagHandles: ReadonlyMap<string, string>) {
    this.#text = text;
    this.#events = events;
    this.#tagHandles = tagHandles;
  }

  compose(): JsonValue {
    return this.#node().value;
  }

  #fault(message: string, offset = this.#last): void {
    if (this.faults.length < maxFaults) this.faults.push({ offset, message });
  }

  #node(): Node {
    const event = this.#events[this.#next++];
    if (event === undefined) return nothing;
    this.#last = offsetOf(event) ?? this.#last;
    if (event.type === EVENT_ID.ALIAS) return this.#alias(event);
    if (event.type !== EVENT_ID.SCALAR && event.type !== EVENT_ID.SEQUENCE && event.type !== EVENT_ID.MAPPING)
      return nothing;
    const anchor = event.anchorStart < 0 ? undefined : this.#text.slice(event.anchorStart, event.anchorEnd);
    if (anchor !== undefined) this.#anchors.set(anchor, 'open');
    const node = this.#content(event);
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    return node;
  }

  #content(event: Extract<Event, { tagStart: number }>): Node {
    switch (event.type) {
      case EVENT_ID.SCALAR:
        return this.#scalar(event);
      case EVENT_ID.SEQUENCE:
        this.#checkCollectionTag(event, 'seq');
        return this.#sequence();
      case EVENT_ID.MAPPING:
        this.#checkCollectionTag(event, 'map');
        return this.#mapping();
    }
  }

  #alias(event: Extract<Event, { type: typeof EVENT_ID.ALIAS }>): Node {
    const name = this.#text.slice(event.anchorStart, event.anchorEnd);
    const node = this.#anchors.get(name);
    if (node === undefined || node === 'open') {
      this.#fault(
        node === 'open' ? `alias *${name} refers to a value that holds it` : `unknown alias *${name}`,
      );
      return nothing;
    }
    this.#aliased += node.weight;
    if (this.#aliased > aliasBudget) {
      this.#fault(`alias *${name} makes the document larger than ${aliasBudget / 1024 / 1024} MiB`);
      return nothing;
    }
    return node;
  }

  #scalar(event: Extract<Event, { type: typeof EVENT_ID.SCALAR }>): Node {
    const source = getScalarValue(this.#text, event);
    const scalar = this.#resolve(event, source);
    if (scalar.type === 'invalid') {
      this.#fault(scalar.reason);
      return nothing;
    }
    const isMerge = event.style === SCALAR_STYLE.PLAIN && source === '<<';
    return { value: scalar.value, weight: source.length + 1, depth: 0, isMerge };
  }

  #resolve(event: Extract<Event, { type: typeof EVENT_ID.SCALAR }>, source: string): Scalar {
    if (event.tagStart >= 0) return resolveTaggedScalar(this.#tagName(event), source);
    return event.style === SCALAR_STYLE.PLAIN
      ? resolvePlainScalar(source)
      : { type: 'string', value: source };
  }

  #sequence(): Node {
    const items: JsonValue[] = [];
    let weight = 1;
    let depth = 0;
    while (!this.#atEnd()) {
      const item = this.#node();
      items.push(item.value);
      weight += item.weight;
      depth = Math.max(depth, item.depth);
    }
    this.#next++;
    return this.#deeper({ value: items, weight, depth });
  }

  #mapping(): Node {
    const result: JsonObject = {};
    const written = new Set<string>();
    let weight = 1;
    let depth = 0;
    while (!this.#atEnd()) {
      const key = this.#key();
      const keyOffset = this.#last;
      const node = this.#node();
      weight += node.weight + 1 + (key.name?.length ?? 0);
      depth = Math.max(depth, node.depth);
      if (key.isMerge) this.#merge(result, node.value, keyOffset);
      else if (key.name !== undefined && written.has(key.name))
        this.#fault(`duplicate key ${JSON.stringify(key.name)}`, keyOffset);
      else if (key.name !== undefined) {
        written.add(key.name);
        setOwn(result, key.name, node.value);
      }
    }
    this.#next++;
    return this.#deeper({ value: result, weight, depth });
  }

  #key(): { readonly name?: string; readonly isMerge: boolean } {
    const event = this.#events[this.#next];
    if (event?.type !== EVENT_ID.SCALAR) {
      const node = this.#node();
      if (typeof node.value === 'string') return { name: node.value, isMerge: false };
      this.#fault('a key must be text, a number or a boolean');
      return { isMerge: false };
    }
    const node = this.#node();
    if (node.isMerge === true) return { isMerge: true };
    const scalar = this.#resolve(event, getScalarValue(this.#text, event));
    // An invalid scalar has been reported where it was read.
    if (scalar.type === 'invalid') return { isMerge: false };
    const name = keyOf(scalar);
    if (name === undefined) this.#fault('null can be no key; quote it if it is text');
    return name === undefined ? { isMerge: false } : { name, isMerge: false };
  }

  /**
   * As kubectl merges: what '<<' brings replaces what was written before it and yields to what is written after it;
   * of several maps the first wins.
   */
  #merge(target: JsonObject, value: JsonValue, offset: number): void {
    const sources = Array.isArray(value) ? value.toReversed() : [value];
    for (const source of sources) {
      if (!isJsonObject(source)) {
        this.#fault('<< merges maps only', offset);
        return;
      }
      for (const [key, item] of Object.entries(source)) setOwn(target, key, item);
    }
  }

  #deeper(node: Node): Node {
    if (node.depth < maxDepth) return { ...node, depth: node.depth + 1 };
    this.#fault(`nested more than ${maxDepth} levels deep`);
    return nothing;
  }

  #atEnd(): boolean {
    return this.#next >= this.#events.length || this.#events[this.#next]?.type === EVENT_ID.POP;
  }

  #checkCollectionTag(
    event: { readonly tagStart: number; readonly tagEnd: number },
    expected: 'seq' | 'map',
  ): void {
    if (event.tagStart < 0) return;
    const tag = this.#tagName(event);
    if (tag !== '!' && tag !== `tag:yaml.org,2002:${expected}`) this.#fault(`unknown tag ${shortTag(tag)}`);
  }

  /** The full name of a tag; handles declared by %TAG are resolved. */
  #tagName(event: { readonly tagStart: number; readonly tagEnd: number }): string {
    const raw = this.#text.slice(event.tagStart, event.tagEnd);
    if (raw === '!') return raw;
    if (raw.startsWith('!<')) return raw.slice(2, -1);
    const handleEnd = raw.indexOf('!', 1) + 1;
    const handle = handleEnd === 0 ? '!' : raw.slice(0, handleEnd);
    const prefix = this.#tagHandles.get(handle) ?? (handle === '!!' ? 'tag:yaml.org,2002:' : handle);
    return prefix + raw.slice(handle.length);
  }
}

/** Sets a key as the object's own, even '__proto__'. */
function setOwn(target: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}
