import type { Finding, FindingKind, ImportResult } from '../model/import-result.ts';
import type { JsonObject } from '../model/json.ts';
import { neutralise } from '../model/neutralise.ts';
import { formatOrigin, type Origin } from '../model/origin.ts';

import { toYamlText } from './render-report.ts';
import type { ErrorJson } from './report-schema.ts';
import { paintWith, span, type Style, toSpans } from './text/styled-text.ts';
import { plural } from './text/text-context.ts';
import { errorJson, reportApiVersion } from './to-json.ts';
import { renderFaults } from './fault-lines.ts';

const kinds: Readonly<Record<FindingKind, { readonly name: string; readonly style: Style }>> = {
  unsupported: { name: 'no equal', style: 'red' },
  changed: { name: 'changed', style: 'yellow' },
  dropped: { name: 'left out', style: 'dim' },
};

/** A generator's file: its document under a comment that says what it was made of. */
export function generatorText({ document, origin }: ImportResult['generators'][number]): string {
  return `---\n# from ${neutralise(formatOrigin({ file: origin.file, line: origin.line }))}\n${toYamlText(document)}`;
}

/** Every fault and finding, 'file:line:column: kind: path: message' with what to do below, then one sentence. */
export function renderImport(result: ImportResult, options: { readonly color: boolean }): string {
  const paint = paintWith(options.color);
  const findings = onceEach(result.findings).flatMap(({ finding, more }) => {
    const { kind, path, message, remedy, origin } = finding;
    const place = path === '' ? '' : `${path}: `;
    const { name, style } = kinds[kind];
    const others = more === 0 ? '' : ` (and ${more} more)`;
    const first = [
      span(formatOrigin(origin), 'cyan'),
      ': ',
      span(name, style),
      `: ${place}${message}${others}`,
    ];
    return [
      `${paint(toSpans(first))}\n`,
      ...(remedy === undefined ? [] : [`${paint(toSpans(span(`    → ${remedy}`, 'dim')))}\n`]),
    ];
  });
  return `${renderFaults(result.faults, options)}${findings.join('')}${paint(toSpans(summary(result)))}\n`;
}

interface Told {
  readonly finding: Finding;
  /** How many others say the same. */
  readonly more: number;
}

/** What was left out asks for nothing: the same of many documents is told once, with how many there are. */
function onceEach(findings: readonly Finding[]): Told[] {
  const told = new Map<unknown, Told>();
  for (const finding of findings) {
    const key = finding.kind === 'dropped' ? finding.message : finding;
    const before = told.get(key);
    told.set(key, before === undefined ? { finding, more: 0 } : { ...before, more: before.more + 1 });
  }
  return [...told.values()];
}

function summary(result: ImportResult): string {
  const parts = [
    `${plural(result.generators.length, 'generator')} from ${plural(result.documents, 'document')}`,
    ...(result.faults.length === 0 ? [] : [plural(result.faults.length, 'fault')]),
    ...(Object.keys(kinds) as FindingKind[])
      .map((kind) => ({ kind, count: countOf(result, kind) }))
      .filter(({ count }) => count > 0)
      .map(({ kind, count }) => `${count} ${kind === 'unsupported' ? 'without an equal' : kinds[kind].name}`),
  ];
  return parts.join(', ');
}

/** 0 when all was translated, 1 when something had no equal or could not be read. */
export function importStatus(result: ImportResult): number {
  return result.faults.length === 0 && countOf(result, 'unsupported') === 0 ? 0 : 1;
}

function countOf({ findings }: ImportResult, kind: FindingKind): number {
  return findings.filter((finding) => finding.kind === kind).length;
}

export interface ImportJson {
  readonly apiVersion: typeof reportApiVersion;
  readonly kind: 'ImportReport';
  readonly summary: {
    readonly documents: number;
    readonly generators: number;
    readonly faults: number;
    readonly unsupported: number;
    readonly changed: number;
    readonly dropped: number;
  };
  readonly generators: readonly {
    readonly name: string;
    readonly document: JsonObject;
    readonly origin: Origin;
  }[];
  readonly findings: readonly Finding[];
  readonly faults: readonly ErrorJson[];
}

/** The stable shape of what import finds and makes. */
export function importJson(result: ImportResult): ImportJson {
  return {
    apiVersion: reportApiVersion,
    kind: 'ImportReport',
    summary: {
      documents: result.documents,
      generators: result.generators.length,
      faults: result.faults.length,
      unsupported: countOf(result, 'unsupported'),
      changed: countOf(result, 'changed'),
      dropped: countOf(result, 'dropped'),
    },
    generators: result.generators,
    findings: result.findings,
    faults: result.faults.map(errorJson),
  };
}
