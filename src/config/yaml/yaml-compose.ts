import { COLLECTION_STYLE, EVENT_ID, type Event, SCALAR_STYLE } from 'js-yaml';

import { isJsonObject, type JsonObject, type JsonValue } from '../../model/json.ts';
import { offsetOf } from './yaml-positions.ts';
import {
  keyOf,
  resolvePlainScalar,
  resolveTaggedScalar,
  type Scalar,
  type ScalarEvent,
  sourceOf,
} from './yaml-scalar.ts';
import { checkCollectionTag, fullTag, isMergeTag } from './yaml-tags.ts';

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
  /** What it is as a key, for a scalar. */
  readonly scalar?: ValidScalar;
  readonly isMerge?: boolean;
  /** Its fault has been told. */
  readonly isInvalid?: boolean;
}

type ValidScalar = Exclude<Scalar, { type: 'invalid' }>;

/** What aliases may still add to the documents of a file, as characters. */
export interface AliasBudget {
  left: number;
}

/** What aliases may add to one document: an API server takes no larger object. */
const documentAliases = 3 * 1024 * 1024;
const maxDepth = 100;
/** A document with more is broken as a whole; a list of thousands helps nobody. */
const maxFaults = 100;
const nothing: Node = { value: null, weight: 1, depth: 0 };

/** The events of one document, without its own start and end, and the tag handles that it declares. */
export interface DocumentEvents {
  readonly events: readonly Event[];
  readonly tagHandles: ReadonlyMap<string, string>;
}

/** Builds one document's JSON value from its events, collecting every fault on the way. */
export class DocumentComposer {
  readonly faults: ComposeFault[] = [];
  readonly #text: string;
  readonly #events: readonly Event[];
  readonly #tagHandles: ReadonlyMap<string, string>;
  readonly #aliasBudget: AliasBudget;
  readonly #anchors = new Map<string, Node | 'open'>();
  #next = 0;
  #aliased = 0;
  #last = 0;
  #flowDepth = 0;

  constructor(
    text: string,
    { events, tagHandles }: DocumentEvents,
    aliasBudget: AliasBudget = { left: documentAliases },
  ) {
    this.#text = text;
    this.#events = events;
    this.#tagHandles = tagHandles;
    this.#aliasBudget = aliasBudget;
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
    if (anchor !== undefined && !/^[\w-]+$/.test(anchor))
      this.#fault(`the anchor &${anchor} may have letters, digits, '-' and '_' only`);
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
      case EVENT_ID.MAPPING: {
        const isSequence = event.type === EVENT_ID.SEQUENCE;
        this.#checkTag(event, isSequence ? 'seq' : 'map');
        this.#flowDepth += event.style === COLLECTION_STYLE.FLOW ? 1 : 0;
        const node = isSequence ? this.#sequence() : this.#mapping();
        this.#flowDepth -= event.style === COLLECTION_STYLE.FLOW ? 1 : 0;
        return node;
      }
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
    this.#aliasBudget.left -= node.weight;
    if (this.#aliased > documentAliases || this.#aliasBudget.left < 0) {
      this.#fault(
        this.#aliased > documentAliases
          ? `alias *${name} makes the document larger than ${documentAliases / 1024 / 1024} MiB`
          : `alias *${name} adds too much to the file; write out what the documents before it repeat`,
      );
      return nothing;
    }
    return node;
  }

  #scalar(event: ScalarEvent): Node {
    const source = sourceOf(this.#text, event);
    const tag = event.tagStart < 0 ? undefined : this.#tagName(event);
    const isMerge =
      source === '<<' && (tag === undefined ? event.style === SCALAR_STYLE.PLAIN : isMergeTag(tag));
    if (isMerge) return { value: source, weight: 1, depth: 0, isMerge };
    const scalar =
      this.#flowDepth > 0
        ? (faultInFlow(source, event) ?? resolve(source, event, tag))
        : resolve(source, event, tag);
    if (scalar.type === 'invalid') {
      this.#fault(scalar.reason);
      return { ...nothing, isInvalid: true };
    }
    return { value: scalar.value, weight: source.length + 1, depth: 0, scalar };
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
    const node = this.#node();
    if (this.#flowDepth > 0 && event?.type === EVENT_ID.SCALAR && isDoubtfulKey(this.#text, event))
      this.#fault('in brackets a key needs a space after its colon, and text that ends with a colon quotes');
    if (node.isMerge === true && event?.type !== EVENT_ID.ALIAS) return { isMerge: true };
    if (node.isInvalid === true) return { isMerge: false };
    const name = node.scalar === undefined ? undefined : keyOf(node.scalar);
    if (name === undefined)
      this.#fault(
        node.value === null
          ? 'null can be no key; quote it if it is text'
          : 'a key must be text, a number or a boolean',
      );
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

  #checkTag(event: Extract<Event, { tagStart: number }>, kind: 'seq' | 'map'): void {
    if (event.tagStart < 0) return;
    const message = checkCollectionTag(this.#tagName(event), kind);
    if (message !== undefined) this.#fault(message);
  }

  #tagName({ tagStart, tagEnd }: { readonly tagStart: number; readonly tagEnd: number }): string {
    return fullTag(this.#text.slice(tagStart, tagEnd), this.#tagHandles);
  }
}

/** In [fe80::, x] kubectl takes the last colon for text, YAML 1.2 for the mark of a key. */
function isDoubtfulKey(text: string, { style, valueEnd }: ScalarEvent): boolean {
  if (style !== SCALAR_STYLE.PLAIN || valueEnd < 0) return false;
  let colon = valueEnd;
  while (text[colon] === ' ' || text[colon] === '\t') colon++;
  return text[colon] === ':' && ',[]{}'.includes(text[colon + 1] ?? ' ');
}

/** kubectl takes '?' in brackets for the mark of a key, YAML 1.2 for text where no space follows. */
function faultInFlow(source: string, { style }: ScalarEvent): Scalar | undefined {
  return style === SCALAR_STYLE.PLAIN && source.startsWith('?')
    ? { type: 'invalid', reason: `in brackets ${source} may be a key or text; quote it` }
    : undefined;
}

function resolve(source: string, { style }: ScalarEvent, tag: string | undefined): Scalar {
  if (!source.isWellFormed())
    return { type: 'invalid', reason: 'half of a surrogate pair is no character and cannot be stored' };
  if (tag !== undefined) return resolveTaggedScalar(tag, source);
  return style === SCALAR_STYLE.PLAIN ? resolvePlainScalar(source) : { type: 'string', value: source };
}

/** Sets a key as the object's own, even '__proto__'. */
function setOwn(target: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}
