/** Neither runs on to the next opening, so that text without closings takes no longer. */
const tags = /\{%(?:(?!\{%)[^])*?%\}/g;
const outputs = /\{\{(?:(?!\{\{)[^])*?\}\}/g;

/**
 * A template's text with words in the place of what it fills in, of the same length and on the same lines, so that the
 * YAML around them can be read and every field stands where it stood. Serves Liquid and the templates of charts.
 */
export function maskTemplates(text: string): string {
  return text
    .replace(tags, blank)
    .replace(outputs, (found) => found.replace(/[^\r\n]/g, mark))
    .replace(/^[ \t]*\0[\0 \t]*$/gm, blank)
    .replaceAll(mark, 'x');
}

/** Stands in no text that YAML can be. */
const mark = '\0';

function blank(found: string): string {
  return found.replace(/[^\r\n]/g, ' ');
}
