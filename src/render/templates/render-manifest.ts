import type { ErrorCode } from '../../model/error-codes.ts';
import {
  type FileFault,
  type ManifestFile,
  type ManifestObject,
  readManifestText,
} from '../manifests/manifest-file.ts';
import type { TemplateData } from './template-data.ts';
import type { ParsedTemplate, RenderedText, TemplateEngine } from './template-engine.ts';
import type { TemplateFault } from './template-fault.ts';

/**
 * The objects of a file that is a template. Their lines and those of faults are the template's. `file` of a fault is as
 * the engine names files, and there where the fault is in an included one.
 */
export function renderManifest(
  engine: TemplateEngine,
  template: ParsedTemplate,
  data: TemplateData,
): ManifestFile {
  const rendered = engine.render(template, data);
  return rendered.ok
    ? readRendered(rendered.value, template.file)
    : failedTemplate(rendered.fault, template.file);
}

/** A file that cannot be read. */
export function failedFile(message: string, code: ErrorCode = 'ManifestInvalid'): ManifestFile {
  return { objects: [], faults: [{ code, message, document: 1, line: 1 }] };
}

/** A file whose template fails. */
export function failedTemplate(
  { message, code, file, line, column }: TemplateFault,
  entry: string,
): ManifestFile {
  const fault: FileFault = {
    ...(code === undefined ? {} : { code }),
    message: `template: ${message}`,
    document: 1,
    line,
    column,
    ...elsewhere(file, entry),
  };
  return { objects: [], faults: [fault] };
}

function readRendered({ text, map }: RenderedText, entry: string): ManifestFile {
  const { objects, faults } = readManifestText(text);
  const lines = new RenderedLines(text);
  const located = objects.map((object): ManifestObject => {
    return { ...object, line: map.placeOf(lines.offsetOf(object.line), 'entry').line };
  });
  const explained = faults.map((fault): FileFault => {
    const { file, line, column } = map.placeOf(lines.offsetOf(fault.line, fault.column), 'included');
    const message = `${fault.message}${lines.quote(fault.line)}`;
    return { ...fault, message, line, column, ...elsewhere(file, entry) };
  });
  return { objects: located, faults: explained };
}

function elsewhere(file: string, entry: string): Pick<FileFault, 'file'> {
  return file === entry ? {} : { file };
}

const maxQuoted = 120;

/** The lines of a rendered text, of which people see only the template. */
class RenderedLines {
  readonly #text: string;
  #starts: readonly number[] | undefined;
  #lines: readonly string[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Of a line and column that count from 1; without a column, of what the line begins with. */
  offsetOf(line: number, column?: number): number {
    const start = this.#startOf(line);
    return start + (column === undefined ? Math.max(0, this.#lineAt(line).search(/\S/)) : column - 1);
  }

  /** '; rendered as "replicas: [1"'. What a Secret holds is not for messages. */
  quote(line: number): string {
    const text = this.#lineAt(line).trim();
    if (text === '' || /^\s*["']?kind["']?\s*:\s*["']?Secret\b/m.test(this.#text)) return '';
    return `; rendered as ${JSON.stringify(text.length > maxQuoted ? `${text.slice(0, maxQuoted)}…` : text)}`;
  }

  #startOf(line: number): number {
    this.#starts ??= [
      0,
      ...Array.from(this.#text.matchAll(lineEnd), (match) => match.index + match[0].length),
    ];
    return this.#starts[line - 1] ?? this.#text.length;
  }

  #lineAt(line: number): string {
    this.#lines ??= this.#text.split(lineEnd);
    return this.#lines[line - 1] ?? '';
  }
}

const lineEnd = /\r\n|\r|\n/g;
