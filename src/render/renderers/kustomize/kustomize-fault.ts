import { nodeAt, type DirectoryNode } from '../../../model/snapshot.ts';
import { joinPath } from '../repository-path.ts';
import type { KustomizeSources } from './find-sources.ts';

/** What a tool's message comes to, and the place in the repository that it is about. */
export interface ToolFault {
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column?: number;
}

const step =
  /(?:recursed (?:accumulation of|merging from) path|couldn't make target for path) '(?<folder>[^']+)': /g;
const noise = [
  /^(?:error|Error): /,
  /^accumulating (?:resources|components): /,
  /^accumulat(?:ion err='accumulating resources from|ing resources from) '[^']*': /,
  /^accumulateDirectory: "?/,
];

/**
 * kustomize tells the whole way from the first kustomization to the fault, each step in the next one's words. What a
 * person needs is the last step: what is wrong in which folder. `stderr` names files from the fleet's root.
 */
export function kustomizeFault(stderr: string, tree: DirectoryNode, sources: KustomizeSources): ToolFault {
  const lines = stderr.split('\n').filter((line) => !line.startsWith('# Warning'));
  const whole = lines.join('\n').trim();
  const steps = [...whole.matchAll(step)];
  const last = steps.at(-1);
  const rest = last === undefined ? whole : whole.slice(last.index + last[0].length);
  const reached = sources.kustomizations.find(({ folder }) => folder === last?.groups?.['folder']);
  const kustomization = reached ?? sources.kustomizations[0];
  const named = fileNamedIn(rest, kustomization?.folder ?? '', tree);
  const unknownField = /unknown field "(?<key>[^"]+)"/.exec(rest)?.groups?.['key'];
  const message = shortened(rest);
  if (named !== undefined) {
    const line = /line (\d+):/.exec(rest)?.[1];
    return { message, file: named, line: line === undefined ? 1 : Number(line) };
  }
  const file = kustomization?.file ?? '';
  if (unknownField === undefined || kustomization === undefined) return { message, file, line: 1 };
  return { message, file, ...kustomization.document.locate([unknownField], 'key') };
}

/** A file that the fault is in: 'in File: d.yaml', "accumulating resources from 'd.yaml'". */
function fileNamedIn(text: string, folder: string, tree: DirectoryNode): string | undefined {
  const names = [...text.matchAll(/(?:in File: |resources from ')(?<name>[^'\n]+?)(?:'|\n|$)/g)];
  const paths = names.map(({ groups }) => joinPath(folder, groups?.['name'] ?? ''));
  return paths.findLast((path) => path !== undefined && nodeAt(tree, path)?.kind === 'file');
}

/** Without the steps before, and without configurations of kustomize's own that a person did not write. */
function shortened(text: string): string {
  let message = text.replace(/trouble configuring builtin (\w+) with config: `[^`]*`/g, '$1');
  for (let before = ''; before !== message;) {
    before = message;
    message = noise.reduce((current, pattern) => current.replace(pattern, ''), message);
  }
  return message.replace(/\s*\n\s*/g, ' ').trim();
}
