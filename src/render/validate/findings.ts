import { type Finding, formatPlace, type Place } from '../../model/finding.ts';
import { compareText } from '../../model/object-ref.ts';
import { isClusterDirectory } from '../../model/origin.ts';

/** Gathers findings, each once, with the clusters that it was made for. */
export class Findings {
  readonly #found = new Map<string, { readonly finding: Finding; readonly clusters: Set<string> }>();

  /** `cluster` is missing for what concerns none in particular. */
  add(finding: Finding, cluster?: string): void {
    const key = JSON.stringify([finding.place && formatPlace(finding.place), finding.code, finding.message]);
    const known = this.#found.get(key) ?? { finding, clusters: new Set<string>() };
    this.#found.set(key, known);
    if (cluster !== undefined) known.clusters.add(cluster);
  }

  /** In the order of places. Clusters are named where not all of `examined` are concerned and no folder's name says it. */
  list(examined: number): Finding[] {
    return [...this.#found.values()]
      .map(({ finding, clusters }) =>
        clusters.size === 0 || clusters.size === examined || isClusterDirectory(finding.generator ?? '')
          ? finding
          : { ...finding, clusters: [...clusters].sort(compareText) },
      )
      .sort(compareFindings);
  }
}

/** By place, those without one first; then by severity, code and message. */
export function compareFindings(a: Finding, b: Finding): number {
  return (
    Number(a.place !== undefined) - Number(b.place !== undefined) ||
    comparePlaces(a.place, b.place) ||
    compareText(a.severity, b.severity) ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  );
}

const nowhere: Place = { file: '' };

function comparePlaces(a: Place = nowhere, b: Place = nowhere): number {
  return compareText(a.file, b.file) || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}
