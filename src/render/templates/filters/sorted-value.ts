import { compareText } from '../../../model/object-ref.ts';

/** The value with the keys of every map in order, so that equal values give equal text. */
export function sortedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedValue);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => compareText(a, b));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortedValue(item)]));
}
