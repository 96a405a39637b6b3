import { valueAt } from '../model/json.ts';

/** The number under a chain of keys, or what stands for it where the API server leaves it out. */
export function numberAt(value: unknown, keys: readonly string[], missing = 0): number {
  const found = valueAt(value, ...keys);
  return typeof found === 'number' ? found : missing;
}
