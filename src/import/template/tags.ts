/** Splits a text at what stands between `{{` and `}}`: at odd places are these with their braces, at even ones the rest. */
export function splitTags(text: string): string[] {
  const pieces: string[] = [];
  let position = 0;
  // No regular expression: one that looks for an end that never comes would read the rest again from every start.
  for (;;) {
    const start = text.indexOf('{{', position);
    const end = start < 0 ? -1 : text.indexOf('}}', start + 2);
    if (end < 0) return [...pieces, text.slice(position)];
    pieces.push(text.slice(position, start), text.slice(start, end + 2));
    position = end + 2;
  }
}
