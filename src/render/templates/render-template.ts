import type { ErrorCode } from '../../model/error-codes.ts';
import { BoundedCache } from '../bounded-cache.ts';
import type { TemplateData } from './template-data.ts';
import { type Attempt, type ParsedTemplate, TemplateEngine } from './template-engine.ts';
import { readsNothing, readsOf, type TemplateReads } from './template-reads.ts';

/** Lines and columns are those of the template. */
export type TemplateResult =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly message: string;
      readonly line: number;
      readonly column: number;
      /** Only where it is another than that of any template that fails, as FactsUnknown. */
      readonly code?: ErrorCode;
    };

/** Templates that stand in no file, such as the fields of a generator: they can include nothing. */
export const fieldEngine = new TemplateEngine();

const maxParsedCharacters = 2_000_000;
/** Weight of a parsed template beyond its text. */
const overhead = 200;
const parsedFields = new BoundedCache<Attempt<ParsedTemplate>>(maxParsedCharacters);

/** A field's template, read once for each text. Never throws. */
export function parseField(text: string): Attempt<ParsedTemplate> {
  const known = parsedFields.get(text);
  if (known !== undefined) return known;
  const parsed = fieldEngine.parse(text);
  parsedFields.set(text, parsed, text.length + overhead);
  return parsed;
}

/** Whether a text is more than itself. */
export function isTemplate(text: string): boolean {
  return text.includes('{{') || text.includes('{%');
}

/** Renders a Liquid template. A variable that is missing is a fault. Never throws. */
export function renderTemplate(template: string, data: TemplateData): TemplateResult {
  if (!isTemplate(template)) return { ok: true, text: template };
  const parsed = parseField(template);
  const rendered = parsed.ok ? fieldEngine.render(parsed.value, data) : parsed;
  return rendered.ok ? { ok: true, text: rendered.value.text } : { ok: false, ...rendered.fault };
}

/**
 * What of the data a template's text can read, for the keys of caches: see pickReads and joinReads. One that cannot be
 * parsed reads nothing, since it gives the same fault whatever the data.
 */
export function variablesOf(template: string): TemplateReads {
  if (!isTemplate(template)) return readsNothing;
  const parsed = parseField(template);
  return parsed.ok ? readsOf(parsed.value.templates) : readsNothing;
}
