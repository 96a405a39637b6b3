import { renderFinding } from '../fault-lines.ts';
import { toJsonText, toYamlText } from '../render-report.ts';
import { paintWith, span } from '../text/styled-text.ts';
import { plural } from '../text/text-context.ts';
import { countsText } from './counts-text.ts';
import { junitOf } from './junit.ts';
import { sarifOf } from './sarif.ts';
import { validationJson } from './validation-json.ts';
import { validationMarkdown } from './validation-markdown.ts';
import { countFindings, type ValidationResult } from './validation-result.ts';

export const validationFormats = ['text', 'json', 'yaml', 'markdown', 'sarif', 'junit'] as const;
export type ValidationFormat = (typeof validationFormats)[number];

export interface RenderValidationOptions {
  readonly format: ValidationFormat;
  readonly color: boolean;
  /** Of this program. */
  readonly version: string;
}

/** What validation found, in the format asked for; the same result always gives the same text. */
export function renderValidation(result: ValidationResult, options: RenderValidationOptions): string {
  switch (options.format) {
    case 'text':
      return validationText(result, options);
    case 'json':
      return toJsonText(validationJson(result));
    case 'yaml':
      return toYamlText(validationJson(result));
    case 'markdown':
      return validationMarkdown(result);
    case 'sarif':
      return toJsonText(sarifOf(result, options.version));
    case 'junit':
      return junitOf(result);
  }
}

/** Every finding, then one sentence; a clean repository gives the sentence alone. */
function validationText(result: ValidationResult, { color }: { readonly color: boolean }): string {
  const paint = paintWith(color);
  const { errors, warnings } = countFindings(result);
  const looked = `${plural(result.files.length, 'file')}, ${plural(result.clusters.length, 'cluster')}`;
  const hue = errors > 0 ? 'red' : warnings > 0 ? 'yellow' : 'green';
  return [
    ...result.findings.map((finding) => renderFinding(finding, { color })),
    ...result.notes.map((note) => `${paint([span(`note: ${note}`, 'dim')])}\n`),
    `${paint([span(`${looked}: ${countsText({ errors, warnings })}`, hue)])}\n`,
  ].join('');
}
