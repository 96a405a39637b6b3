import picocolors from 'picocolors';

import { neutralise } from '../../model/neutralise.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'magenta' | 'cyan';

/** A run of text in one style. The text may come from a cluster: it is neutralised when it is printed, here alone. */
export interface Span {
  readonly text: string;
  readonly style?: Style;
}

export type SpanText = string | Span | readonly (string | Span)[];

export function span(text: string, style: Style): Span {
  return { text, style };
}

export function toSpans(text: SpanText): readonly Span[] {
  const parts = typeof text === 'string' || 'text' in text ? [text] : text;
  return parts
    .map((part) => (typeof part === 'string' ? { text: part } : part))
    .filter((part) => part.text !== '');
}

/** The printable text of spans, with ANSI colours or without. */
export function paintWith(color: boolean): (spans: readonly Span[]) => string {
  const colors = picocolors.createColors(color);
  return (spans) =>
    spans
      .map(({ text, style }) => (style === undefined ? neutralise(text) : colors[style](neutralise(text))))
      .join('');
}

/** How many columns spans take; characters of East Asian scripts and emoji take two. */
export function spansWidth(spans: readonly Span[]): number {
  return spans.reduce((sum, { text }) => sum + textWidth(neutralise(text)), 0);
}

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const combining = /\p{M}/u;

const ascii = /^[ -~]*$/;

function textWidth(text: string): number {
  if (ascii.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += combining.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
}
