import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadAll } from 'js-yaml';

import { openWorkingCopy } from '../../src/git/working-copy.ts';
import { type JsonObject, stringAt } from '../../src/model/json.ts';
import { compareText } from '../../src/model/object-ref.ts';
import type { ToolPaths } from '../../src/model/settings.ts';
import { nodeAt, type Snapshot } from '../../src/model/snapshot.ts';
import { createRenderCache, type RenderCache } from '../../src/render/render-cache.ts';
import type { RenderedSource } from '../../src/render/render-source.ts';
import { createHelmRenderer } from '../../src/render/renderers/helm/render-helm.ts';
import { createKustomizeRenderer } from '../../src/render/renderers/kustomize/render-kustomize.ts';
import type { HelmOptions, RenderRequest } from '../../src/render/renderers/renderer.ts';
import { createTools, type ToolLimits } from '../../src/render/tools/tools.ts';
import { type RenderTools, renderTools } from '../harness/render-tools.ts';

const run = promisify(execFile);
export const fixtures = join(import.meta.dirname, 'fixtures');

/** A source rendered by ours, with what the tests vary. */
export interface Rendering {
  readonly path: string;
  readonly helm?: Partial<HelmOptions>;
  readonly kubeVersion?: string;
  readonly apiVersions?: readonly string[];
  readonly namespace?: string;
  readonly snapshot?: Snapshot;
  readonly cache?: RenderCache;
  readonly signal?: AbortSignal;
}

export interface WorldOptions {
  readonly paths?: ToolPaths;
  /** The fetched tools unless given. */
  readonly searchPath?: string;
  readonly limits?: Partial<ToolLimits>;
}

export interface RenderWorld {
  readonly tools: RenderTools;
  /** Where runs get their folders; nothing of theirs may stay. */
  readonly tempDir: string;
  kustomize(rendering: Rendering): Promise<RenderedSource>;
  helm(rendering: Rendering): Promise<RenderedSource>;
  /** What lies in the folders of runs right now. */
  leftovers(): Promise<string[]>;
  close(): Promise<void>;
}

/** Renderers on real tools, with folders of their own. */
export async function openRenderWorld(options: WorldOptions = {}): Promise<RenderWorld> {
  const fetched = await renderTools();
  const tempDir = await mkdtemp(join(tmpdir(), 'fleetwright-tools-test-'));
  const tools = createTools({
    paths: options.paths ?? {},
    searchPath: options.searchPath ?? fetched.dir,
    tempDir,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  const renderers = { kustomize: createKustomizeRenderer(tools), helm: createHelmRenderer(tools) };
  return {
    tools: fetched,
    tempDir,
    kustomize: async (rendering) => renderers.kustomize(await requestFor(rendering)),
    helm: async (rendering) => renderers.helm(await requestFor(rendering)),
    async leftovers() {
      const found = await readdir(tempDir, { recursive: true });
      return found.filter((path) => path.includes('/') && !/\/lock(-journal)?$/.test(path));
    },
    async close() {
      await tools.close();
      await rm(tempDir, { recursive: true, force: true });
    },
  };
}

async function requestFor(rendering: Rendering): Promise<RenderRequest> {
  const { path } = rendering;
  const signal = rendering.signal ?? AbortSignal.timeout(60_000);
  const snapshot = rendering.snapshot ?? (await readFolder(fixtures));
  const node = nodeAt(snapshot.tree, path);
  if (node?.kind !== 'directory') throw new Error(`there is no folder ${path}`);
  const helm = {
    releaseName: 'demo',
    valuesFiles: [],
    values: {},
    includeCRDs: true,
    hooks: 'skip' as const,
  };
  return {
    snapshot,
    path,
    node,
    generator: 'demo',
    namespace: rendering.namespace ?? 'demo',
    data: {
      cluster: { name: 'test', labels: {}, annotations: {} },
      fleet: { name: 'test' },
      params: {},
    },
    capabilities: { kubeVersion: rendering.kubeVersion, apiVersions: rendering.apiVersions ?? [] },
    helm: { ...helm, ...rendering.helm },
    cache: rendering.cache ?? createRenderCache(),
    signal,
  };
}

/** A folder on disk as a revision. */
export async function readFolder(dir: string): Promise<Snapshot> {
  const snapshot = await openWorkingCopy(dir).poll(AbortSignal.timeout(60_000));
  if (snapshot === null) throw new Error(`${dir} cannot be read`);
  return snapshot;
}

/** What a tool itself prints, run in the fixtures or another folder, read by a YAML parser that is not ours. */
export async function printedBy(
  tool: string,
  args: readonly string[],
  cwd: string = fixtures,
): Promise<JsonObject[]> {
  const { stdout } = await run(tool, args, { cwd, maxBuffer: 64 * 1024 * 1024 });
  const objects: JsonObject[] = [];
  // What a tool prints is JSON once it is read.
  for (const value of loadAll(stdout)) if (value !== null) objects.push(value as JsonObject);
  return sorted(objects);
}

/** The objects of a rendering without faults, in the order of printedBy. */
export function manifestsOf({ objects, faults }: RenderedSource): JsonObject[] {
  if (faults.length > 0) throw new Error(faults.map((fault) => fault.describe()).join('\n'));
  return sorted(objects.map(({ manifest }) => manifest));
}

export function sorted(objects: readonly JsonObject[]): JsonObject[] {
  return objects.toSorted((a, b) => compareText(identityOf(a), identityOf(b)));
}

function identityOf({ kind, metadata }: JsonObject): string {
  return JSON.stringify([kind, stringAt(metadata, 'namespace'), stringAt(metadata, 'name')]);
}

/** 'kind/name at file:line' of each object, by name. */
export function originsOf({ objects }: RenderedSource): string[] {
  return objects
    .map(({ ref, origin }) => `${ref.kind}/${ref.name} at ${origin.file}:${origin.line}`)
    .sort(compareText);
}

/** Each fault as people see it. */
export function faultsOf({ faults }: RenderedSource): string[] {
  return faults.map((fault) => fault.describe());
}
