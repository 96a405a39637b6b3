import type { ErrorCode } from '../../model/error-codes.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../model/json.ts';
import { fieldEngine, isTemplate, parseField, renderTemplate, variablesOf } from './render-template.ts';
import type { TemplateData } from './template-data.ts';
import { joinReads, type TemplateReads } from './template-reads.ts';

/** A text that could not be rendered, and where in the value it stands. */
export interface ValueFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** Only where it is another than that of any template that fails, as FactsUnknown. */
  readonly code?: ErrorCode;
}

export type ValueResult<T extends JsonValue = JsonValue> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly faults: readonly ValueFault[] };

/**
 * Renders every text in a value as a Liquid template; keys stay as they are. A text that is one output and nothing else,
 * such as '{{ params.replicas }}', becomes the output's value with its type: a number, a list, a map. Every fault is
 * found. Never throws.
 */
export function renderValue(value: JsonObject, data: TemplateData): ValueResult<JsonObject>;
export function renderValue(value: JsonValue, data: TemplateData): ValueResult;
export function renderValue(value: JsonValue, data: TemplateData): ValueResult {
  const faults: ValueFault[] = [];
  const visit = (current: JsonValue, path: readonly (string | number)[]): JsonValue => {
    if (Array.isArray(current)) return current.map((item, index) => visit(item, [...path, index]));
    if (isJsonObject(current))
      return Object.fromEntries(
        Object.entries(current).map(([key, item]) => [key, visit(item, [...path, key])]),
      );
    if (typeof current !== 'string' || !isTemplate(current)) return current;
    const rendered = renderText(current, data);
    if (rendered.ok) return rendered.value;
    faults.push({ ...rendered.fault, path });
    return null;
  };
  const rendered = visit(value, []);
  return faults.length === 0 ? { ok: true, value: rendered } : { ok: false, faults };
}

/** What of the data the texts in a value can read; see variablesOf. */
export function variablesOfValue(value: JsonValue): TemplateReads {
  if (typeof value === 'string') return variablesOf(value);
  if (typeof value !== 'object' || value === null) return joinReads([]);
  return joinReads(Object.values(value).map(variablesOfValue));
}

type Rendered =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly fault: Pick<ValueFault, 'message' | 'code'> };

function renderText(text: string, data: TemplateData): Rendered {
  const parsed = parseField(text);
  const output = parsed.ok ? fieldEngine.evaluate(parsed.value, data) : undefined;
  if (output?.ok === true) return asJson(output.value);
  if (output !== undefined) return { ok: false, fault: faultOf(output.fault) };
  const rendered = renderTemplate(text, data);
  return rendered.ok ? { ok: true, value: rendered.text } : { ok: false, fault: faultOf(rendered) };
}

function faultOf({
  message,
  code,
}: Pick<ValueFault, 'message' | 'code'>): Pick<ValueFault, 'message' | 'code'> {
  return { message, ...(code === undefined ? {} : { code }) };
}

/** A copy of what an expression gave, so that nothing of the data can be changed through it. */
function asJson(value: unknown): Rendered {
  if (value === undefined) return { ok: true, value: null };
  if (typeof value === 'number' && !Number.isFinite(value))
    return { ok: false, fault: { message: `gives ${String(value)}, which is no number that JSON can hold` } };
  return { ok: true, value: JSON.parse(JSON.stringify(value)) as JsonValue };
}
