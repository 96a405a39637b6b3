import type { FleetError } from '../model/fleet-error.ts';
import { type Finding, findingOf, formatPlace } from '../model/finding.ts';

import { sortErrors } from './sort-report.ts';
import { paintWith, span, toSpans } from './text/styled-text.ts';

/**
 * One line a fault, 'file:line:column: code: message' as editors and CI systems understand it; further lines of a
 * message are indented below. A file that many clusters share is read for each of them, but its fault is told once. No
 * fault gives no text.
 */
export function renderFaults(faults: readonly FleetError[], options: { readonly color: boolean }): string {
  const unique = new Map(sortErrors(faults).map((fault) => [fault.describe(), fault]));
  return [...unique.values()].map((fault) => renderFinding(findingOf(fault), options)).join('');
}

/** As renderFaults says; a warning has the word before its code. */
export function renderFinding(finding: Finding, options: { readonly color: boolean }): string {
  const { severity, code, place } = finding;
  const paint = paintWith(options.color);
  const [first = '', ...others] = messageOf(finding).split('\n');
  const head = [
    ...(place === undefined ? [] : [span(formatPlace(place), 'cyan'), ': ']),
    ...(severity === 'warning' ? [span('warning', 'yellow'), ': '] : []),
    span(code, severity === 'warning' ? 'yellow' : 'red'),
  ];
  return [
    `${paint(toSpans([...head, `: ${first}`]))}\n`,
    ...others.map((line) => `    ${paint(toSpans(line))}\n`),
  ].join('');
}

const maxNamed = 5;

/** The message with the clusters that it concerns, where that is not all of them. */
export function messageOf({ message, clusters }: Finding): string {
  if (clusters === undefined) return message;
  const more = clusters.length - maxNamed;
  const names = clusters.slice(0, maxNamed).join(', ');
  return `${message} (in ${names}${more > 0 ? ` and ${more} more` : ''})`;
}
