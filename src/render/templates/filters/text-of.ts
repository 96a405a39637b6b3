/** The text that a template writes for a value. @throws Error for a list or map, which has no text of its own. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const what = Array.isArray(value)
    ? 'a list has no text of its own: use join, to_yaml or to_json'
    : undefined;
  throw new Error(what ?? 'a map has no text of its own: use to_yaml or to_json, or one of its keys');
}
