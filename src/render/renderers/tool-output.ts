import { setImmediate as nextTurn } from 'node:timers/promises';

import { type FileFault, type ManifestObject, readManifestText } from '../manifests/manifest-file.ts';

/** What a tool printed, object by object. */
export interface OutputPart {
  /** What helm says in `# Source:`: the chart's name and a path in it. */
  readonly source: string | undefined;
  /** The object as far as it can be told without reading it, for faults: 'Service web'. */
  readonly title: string;
  readonly objects: readonly ManifestObject[];
  /** Faults of what the tool gave; their lines are those of the part. */
  readonly faults: readonly FileFault[];
}

/** Characters that are read before others get their turn. */
const turnLength = 256 * 1024;

/** Reads a tool's output exactly as manifests in Git are read. Long output does not keep others waiting. */
export async function readToolOutput(text: string, signal: AbortSignal): Promise<OutputPart[]> {
  const parts: OutputPart[] = [];
  let length = 0;
  for (const { source, text: part } of splitOutput(text)) {
    length += part.length;
    if (length > turnLength) {
      await nextTurn(undefined, { signal });
      length = 0;
    }
    parts.push({ source, title: titleOf(part), ...readManifestText(part) });
  }
  return parts;
}

/** The documents, each with the source that helm names; documents of one file may have it only on the first. */
export function splitOutput(text: string): { readonly source: string | undefined; readonly text: string }[] {
  let source: string | undefined;
  return text.split(/^---[ \t\r]*$/m).flatMap((part) => {
    source = /^\s*# Source: (?<source>[^\r\n]+)/.exec(part)?.groups?.['source'] ?? source;
    return part.trim() === '' ? [] : [{ source, text: part }];
  });
}

function titleOf(text: string): string {
  const kind = /^kind: *(?<kind>\S+)/m.exec(text)?.groups?.['kind'] ?? 'an object';
  const name = /^ {2}name: *(?<name>\S+)/m.exec(text)?.groups?.['name'];
  return name === undefined ? kind : `${kind} ${name}`;
}
