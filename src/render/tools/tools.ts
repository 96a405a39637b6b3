import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import pLimit from 'p-limit';

import { FleetError } from '../../model/fleet-error.ts';
import type { ToolPaths } from '../../model/settings.ts';
import type { Snapshot } from '../../model/snapshot.ts';
import { BoundedCache } from '../bounded-cache.ts';
import { findTool } from './find-tool.ts';
import { remember } from './remember.ts';
import type { Command } from './network-isolation.ts';
import type { ProgramResult } from './run-program.ts';
import { openSandbox, type RunFolder, type Sandbox, type SandboxLimits } from './sandbox.ts';
import { type Placement, stageFiles } from './stage-files.ts';
import type { Tool } from './tool-version.ts';

/** One run of a tool. */
export interface ToolJob {
  /** Equal for jobs that are equal in all that decides their outcome. */
  readonly key: string;
  readonly tool: Tool;
  readonly snapshot: Snapshot;
  /** What of the revision the tool gets to see, and where below `tree`. */
  readonly placements: readonly Placement[];
  /** May add to the folder; says with which arguments the tool runs, in `tree`. */
  readonly prepare: (folder: RunFolder) => Promise<readonly string[]>;
  readonly signal: AbortSignal;
}

/** What a tool printed, or what it complained of, with files named from the fleet's root. */
export type ToolOutput =
  { readonly ok: true; readonly stdout: string } | { readonly ok: false; readonly stderr: string };

/** The programs that render, each run in a throw-away folder without network, home or environment. */
export interface Tools {
  /** kustomize, or the one in kubectl. @throws FleetError RenderFailed when there is none. */
  kustomize(signal: AbortSignal): Promise<Tool>;
  /** @throws FleetError RenderFailed when there is none. */
  helm(signal: AbortSignal): Promise<Tool>;
  /** @throws FleetError RenderFailed when it cannot start or prints too much, DeadlineExceeded when it does not end. */
  run(job: ToolJob): Promise<ToolOutput>;
  /** Removes what is left on disk, once nothing runs any more. */
  close(): Promise<void>;
}

export interface ToolLimits extends SandboxLimits {
  /** Tools that run at a time. */
  readonly concurrency: number;
}

export interface ToolsOptions {
  /** As the settings name them. */
  readonly paths: ToolPaths;
  /** PATH, on which the others are looked for. */
  readonly searchPath: string;
  /** Where the throw-away folders are made. */
  readonly tempDir: string;
  readonly limits?: Partial<ToolLimits>;
}

const defaultLimits: ToolLimits = {
  deadlineMs: 30_000,
  maxOutputBytes: 50 * 1024 * 1024,
  concurrency: availableParallelism(),
};
/** For how long a job that took too long is not tried again: many clusters may have the same. */
const lateForMs = 300_000;
const maxLateJobs = 1_000;
/** How long a tool that was found, or not, counts as such. */
const foundForMs = 60_000;

/** Nothing is looked for, made or run before something needs it. */
export function createTools({ paths, searchPath, tempDir, limits: given }: ToolsOptions): Tools {
  const limits = { ...defaultLimits, ...given };
  const limit = pLimit(limits.concurrency);
  let opened: Sandbox | undefined;
  const sandbox = remember(Number.POSITIVE_INFINITY, async (signal) => {
    opened = await openSandbox(tempDir, limits, signal);
    return opened;
  });
  const finder = (purpose: 'kustomize' | 'helm', names: readonly Tool['name'][]) =>
    remember(foundForMs, async (signal) => {
      const box = await sandbox(signal);
      const ask = (command: Command): Promise<ProgramResult> =>
        box.run(() => Promise.resolve(command), signal);
      return await findTool(purpose, names, { paths, searchPath, ask });
    });
  const late = new BoundedCache<number>(maxLateJobs);
  return {
    kustomize: finder('kustomize', ['kustomize', 'kubectl']),
    helm: finder('helm', ['helm']),
    run: (job) =>
      limit(async () => {
        const wasLateMs = performance.now() - (late.get(job.key) ?? Number.NEGATIVE_INFINITY);
        if (wasLateMs < lateForMs) throw lateError(job.tool, limits);
        const result = await runJob(await sandbox(job.signal), job);
        if (result.kind === 'late') late.set(job.key, performance.now(), 1);
        return toOutput(result, job.tool, limits);
      }),
    close: async () => {
      await opened?.close();
    },
  };
}

/** The result with no trace of the folder that it came about in. */
async function runJob(sandbox: Sandbox, job: ToolJob): Promise<ProgramResult> {
  const { tool, snapshot, placements, prepare, signal } = job;
  let folder: RunFolder | undefined;
  const result = await sandbox.run(async (run) => {
    folder = run;
    await stageFiles(snapshot, placements, { dir: run.tree, signal });
    return [tool.path, ...(await prepare(run))];
  }, signal);
  return result.kind === 'failed' ? { ...result, stderr: withoutFolder(result.stderr, folder) } : result;
}

function toOutput(result: ProgramResult, tool: Tool, limits: ToolLimits): ToolOutput {
  switch (result.kind) {
    case 'done':
      return { ok: true, stdout: new TextDecoder().decode(result.stdout) };
    case 'failed':
      return { ok: false, stderr: complaintOf(result.stderr) ?? `it ends with ${result.status}` };
    case 'late':
      throw lateError(tool, limits);
    case 'tooMuch': {
      const size = `${limits.maxOutputBytes / 1024 / 1024} MiB`;
      throw new FleetError('RenderFailed', `${tool.name} printed more than ${size}`);
    }
    case 'notStarted':
      throw new FleetError('RenderFailed', `${tool.path} cannot be started: ${result.message}`, {
        retry: 'interval',
      });
  }
}

function lateError({ name }: Tool, { deadlineMs }: ToolLimits): FleetError {
  const message = `${name} took longer than ${deadlineMs / 1000} s`;
  return new FleetError('DeadlineExceeded', message, { retry: 'interval' });
}

/** A program that runs out of memory tells the state of all its threads. */
function complaintOf(stderr: string): string | undefined {
  if (/^(?:runtime: out of memory|fatal error: .*out of memory)/m.test(stderr))
    return 'it needs more memory than a tool gets';
  return stderr.trim() || undefined;
}

/** Where a run happened tells nobody anything. */
function withoutFolder(text: string, folder: RunFolder | undefined): string {
  if (folder === undefined) return text;
  const { tree } = folder;
  const named = text.replaceAll(`${tree}/`, '').replaceAll(tree, '.');
  return named.replaceAll(`${dirname(tree)}/`, '');
}
