import { neutralise } from '../../model/neutralise.ts';

/** Markup that is safe to send: made by the tag below alone, or from a constant of ours. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

export type Content = string | number | Html | readonly Content[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Markup from a template. Whatever is put in becomes text, be it in an element or in a quoted attribute: special
 * characters are escaped, and control, invisible and direction-changing ones become visible. Only Html stays as it is.
 */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(strings.map((string, index) => string + markupOf(contents[index] ?? '')).join(''));
}

/** Shows content where a condition holds. */
export function when(condition: boolean, content: () => Content): Content {
  return condition ? content() : '';
}

function markupOf(content: Content): string {
  if (content instanceof Html) return content.markup;
  if (typeof content === 'number') return String(content);
  if (typeof content === 'string') {
    return neutralise(content).replace(/[&<>"']/g, (character) => entities[character] ?? '');
  }
  return content.map(markupOf).join('');
}
