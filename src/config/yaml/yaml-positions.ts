import { EVENT_ID, type Event, getScalarValue } from 'js-yaml';

/** Counts from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Where in a file the value at a path of keys and indexes stands, or its key; the nearest ancestor where it is not written out. */
export type Locate = (path: readonly (string | number)[], part?: 'key' | 'value') => Position;

/** Translates offsets of a text into lines and columns. */
export function lineIndexOf(text: string, lineOffset: number): (offset: number) => Position {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), (match) => match.index + match[0].length)];
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: lineOffset + low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

interface Spot {
  readonly key: number;
  readonly value: number;
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
 * Maps the paths of one document, given as its parse events, to positions. Nothing is computed before the first
 * question, since most documents have no fault and are never asked.
 */
export function locator(
  text: string,
  events: readonly Event[],
  position: (offset: number) => Position,
): Locate {
  let spots: Map<string, Spot> | undefined;
  return (path, part = 'value') => {
    spots ??= collectSpots(text, events);
    for (let length = path.length; length >= 0; length--) {
      const spot = spots.get(pathKey(path.slice(0, length)));
      // Asked for a value that is not there, the ancestor's key is the better place to look at.
      if (spot !== undefined) return position(part === 'key' || length < path.length ? spot.key : spot.value);
    }
    return position(0);
  };
}

function pathKey(path: readonly (string | number)[]): string {
  return JSON.stringify(path.map(String));
}

function collectSpots(text: string, events: readonly Event[]): Map<string, Spot> {
  const spots = new Map<string, Spot>();
  let next = 0;
  let last = 0;
  const visit = (path: readonly (string | number)[], keyOffset?: number): void => {
    const event = events[next++];
    if (event === undefined) return;
    last = offsetOf(event) ?? keyOffset ?? last;
    spots.set(pathKey(path), { key: keyOffset ?? last, value: last });
    if (event.type === EVENT_ID.SEQUENCE) {
      for (let index = 0; !atEnd(); index++) visit([...path, index]);
      next++;
    } else if (event.type === EVENT_ID.MAPPING) {
      while (!atEnd()) {
        const keyEvent = events[next];
        const start = keyEvent === undefined ? last : (offsetOf(keyEvent) ?? last);
        if (keyEvent?.type === EVENT_ID.SCALAR) {
          next++;
          visit([...path, getScalarValue(text, keyEvent)], start);
        } else {
          visit([...path, '?']);
          visit([...path, '?'], start);
        }
      }
      next++;
    }
  };
  const atEnd = (): boolean => next >= events.length || events[next]?.type === EVENT_ID.POP;
  visit([]);
  return spots;
}
