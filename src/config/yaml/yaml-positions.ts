import { EVENT_ID, type Event, getScalarValue } from 'js-yaml';

/** Counts from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Where in a file the value at a path of keys and indexes stands, or its key; the nearest ancestor where it is not written out. */
export type Locate = (path: readonly (string | number)[], part?: 'key' | 'value') => Position;

/** What stands in the file before a text: whole lines, and characters of the text's first line. */
export interface Before {
  readonly lines: number;
  readonly columns: number;
}

/** Translates offsets of a text into lines and columns of the file. Nothing is computed before the first question. */
export function lineIndexOf(text: string, before: Before): (offset: number) => Position {
  let starts: readonly number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const column = offset - (starts[low] ?? 0) + 1;
    return { line: before.lines + low + 1, column: low === 0 ? before.columns + column : column };
  };
}

/** The offset of each line; a line ends with '\n', '\r\n' or '\r'. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 10 || (code === 13 && text.charCodeAt(index + 1) !== 10)) starts.push(index + 1);
  }
  return starts;
}

interface Spot {
  readonly key: number;
  readonly value: number;
  /** Index of the node's first event. */
  readonly event: number;
  /** What the node holds, once it was asked for. */
  children?: ReadonlyMap<string, Spot>;
}

/** The offset of the first character that belongs to a node: its tag, its anchor or its value. */
export function offsetOf(event: Event): number | undefined {
  const offsets: number[] = [];
  if ('anchorStart' in event) offsets.push(event.anchorStart - 1);
  if ('tagStart' in event) offsets.push(event.tagStart);
  if ('start' in event) offsets.push(event.start);
  // The value of a quoted scalar begins after its quote.
  if ('valueStart' in event)
    offsets.push(event.valueStart - (event.style === 2 || event.style === 3 ? 1 : 0));
  const known = offsets.filter((offset) => offset >= 0);
  return known.length === 0 ? undefined : Math.min(...known);
}

/**
 * Maps the paths of one document, given as its parse events, to positions. Only the maps and lists on a path that is
 * asked for are looked into: most documents are never asked about more than their start.
 */
export function locator(
  text: string,
  events: readonly Event[],
  position: (offset: number) => Position,
): Locate {
  const start = events[0] === undefined ? 0 : (offsetOf(events[0]) ?? 0);
  const root: Spot = { key: start, value: start, event: 0 };
  return (path, part = 'value') => {
    let spot = root;
    for (const [index, step] of path.entries()) {
      spot.children ??= childrenOf(spot, text, events);
      const child = spot.children.get(String(step));
      // Asked for a value that is not there, the ancestor's key is the better place to look at.
      if (child === undefined) return position(spot.key);
      if (index === path.length - 1) return position(part === 'key' ? child.key : child.value);
      spot = child;
    }
    return position(root.value);
  };
}

function childrenOf({ event: at, value }: Spot, text: string, events: readonly Event[]): Map<string, Spot> {
  const children = new Map<string, Spot>();
  const parent = events[at];
  if (parent?.type !== EVENT_ID.SEQUENCE && parent?.type !== EVENT_ID.MAPPING) return children;
  let last = value;
  let next = at + 1;
  for (let index = 0; next < events.length && events[next]?.type !== EVENT_ID.POP; index++) {
    const keyEvent = events[next];
    if (parent.type === EVENT_ID.MAPPING) next = afterNode(events, next);
    const item = events[next];
    const keyOffset = (keyEvent === undefined ? undefined : offsetOf(keyEvent)) ?? last;
    last = (item === undefined ? undefined : offsetOf(item)) ?? keyOffset;
    children.set(parent.type === EVENT_ID.MAPPING ? nameOf(text, keyEvent) : String(index), {
      key: keyOffset,
      value: last,
      event: next,
    });
    next = afterNode(events, next);
  }
  return children;
}

function nameOf(text: string, key: Event | undefined): string {
  return key?.type === EVENT_ID.SCALAR ? getScalarValue(text, key) : '?';
}

/** The index of the event after the node that begins at one. */
function afterNode(events: readonly Event[], start: number): number {
  let depth = 0;
  for (let index = start; index < events.length; index++) {
    const type = events[index]?.type;
    if (type === EVENT_ID.SEQUENCE || type === EVENT_ID.MAPPING) depth++;
    else if (type === EVENT_ID.POP) depth--;
    if (depth <= 0) return index + 1;
  }
  return events.length;
}
