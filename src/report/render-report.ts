import { dump } from 'js-yaml';

import type { Report } from '../model/report.ts';

import type { RenderOptions } from './format.ts';
import { renderMarkdown } from './markdown/render-markdown.ts';
import { neutraliseJson } from '../model/neutralise.ts';
import { renderText } from './text/render-text.ts';
import { toJson } from './to-json.ts';

/** A report as text in the format asked for, ending in a line break; the same report always gives the same text. */
export function renderReport(report: Report, options: RenderOptions): string {
  switch (options.format) {
    case 'text':
      return renderText(report, options);
    case 'json':
      return toJsonText(toJson(report));
    case 'yaml':
      return toYamlText(toJson(report));
    case 'markdown':
      return renderMarkdown(report, options);
  }
}

export function toJsonText(value: unknown): string {
  return `${neutraliseJson(JSON.stringify(value, null, 2))}\n`;
}

export function toYamlText(value: unknown): string {
  return dump(value, { noRefs: true, lineWidth: -1 });
}
