import { FleetError } from '../../model/fleet-error.ts';
import type { ToolPaths } from '../../model/settings.ts';
import { findExecutable, isExecutable } from './find-executable.ts';
import type { ProgramResult } from './run-program.ts';
import { readToolVersion, type Tool, toolRequirements } from './tool-version.ts';

type ToolName = Tool['name'];

/** Runs a program that reads nothing. */
export type Ask = (command: readonly [string, ...string[]]) => Promise<ProgramResult>;

interface Search {
  /** As the settings name them. */
  readonly paths: ToolPaths;
  /** The PATH to look on. */
  readonly searchPath: string;
  readonly ask: Ask;
}

type Found = { readonly ok: true; readonly tool: Tool } | { readonly ok: false; readonly message: string };

/**
 * The first of the tools that is there and new enough. One that the settings name goes before those on PATH, and where
 * it does not do nothing else is tried: whoever names a program wants that one.
 * @throws FleetError RenderFailed that says what was found, what to install and how to name it
 */
export async function findTool(
  purpose: 'kustomize' | 'helm',
  names: readonly ToolName[],
  { paths, searchPath, ask }: Search,
): Promise<Tool> {
  const named = names.find((name) => paths[name] !== undefined);
  const faults: string[] = [];
  for (const name of named === undefined ? names : [named]) {
    const path = paths[name] ?? (await findExecutable(name, searchPath));
    if (path === undefined) continue;
    const found = await checkTool(name, path, ask);
    if (found.ok) return found.tool;
    faults.push(named === undefined ? found.message : `spec.tools.${name}: ${found.message}`);
  }
  throw new FleetError('RenderFailed', missing(purpose, names, faults), { retry: 'interval' });
}

async function checkTool(name: ToolName, path: string, ask: Ask): Promise<Found> {
  if (!(await isExecutable(path))) return { ok: false, message: `${path} is no program that may be run` };
  const result = await ask([path, ...toolRequirements[name].args]);
  if (result.kind !== 'done')
    return { ok: false, message: `${path} does not tell its version: ${reasonOf(result)}` };
  const version = readToolVersion(name, new TextDecoder().decode(result.stdout));
  return version.ok
    ? { ok: true, tool: { name, path, version: version.version } }
    : { ok: false, message: `${path} ${version.message}` };
}

function reasonOf(result: Exclude<ProgramResult, { kind: 'done' }>): string {
  switch (result.kind) {
    case 'failed':
      return result.stderr.trim().split('\n')[0] || `it ends with ${result.status}`;
    case 'late':
      return 'it does not end';
    case 'tooMuch':
      return 'it prints without end';
    case 'notStarted':
      return result.message;
  }
}

function missing(purpose: string, names: readonly ToolName[], faults: readonly string[]): string {
  const wanted = names.map((name) => `${name} ${toolRequirements[name].minimum} or newer`).join(', or ');
  const [name = 'helm'] = names;
  const what = faults.length === 0 ? `there is no ${names.join(' or ')} on PATH` : faults.join('; ');
  return (
    `the source is made for ${purpose}, but ${what}. Install ${wanted} (${toolRequirements[name].install}), ` +
    `or name it in the settings as spec.tools.${name}`
  );
}
