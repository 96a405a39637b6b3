import * as fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import git from 'isomorphic-git';
import http from 'isomorphic-git/http/node';
import pLimit from 'p-limit';

import { openGitSource } from '../src/git/open-git-source.ts';
import { nodeAt, type Snapshot, type TreeNode } from '../src/model/snapshot.ts';
import { createRenderCache } from '../src/render/render-cache.ts';
import { renderCluster } from '../src/render/render-cluster.ts';
import { loadFleetRepository } from '../src/render/repository/load-fleet-repository.ts';
import { commitOneFile, manifestCount } from './git-workload.ts';

/*
 * A process of its own, so that its memory is its own: git-reader.ts BACKEND URL BARE_DIR NUMBER reads the repository
 * for the first time, renders it for one cluster, commits one file and does both again. Prints a Reading as JSON.
 */

/** Milliseconds of each step, and what was held in memory at the most. */
export interface Reading {
  /** From nothing to the whole tree. */
  readonly fetchMs: number;
  /** All files after that. */
  readonly filesMs: number;
  /** From the files to the desired state; what is read a second time comes from the cache. */
  readonly renderMs: number;
  /** After a commit of one file: to the new tree, and to the new desired state. */
  readonly nextFetchMs: number;
  readonly nextRenderMs: number;
  readonly peakMb: number;
}

const filesInFlight = 32;
const signal = AbortSignal.timeout(600_000);
const cluster = { name: 'bench', labels: {}, annotations: {} };

async function readWithFleetwright(backend: 'embedded' | 'native', args: Arguments): Promise<Reading> {
  const { url, bareDir, stateDir, number } = args;
  const source = openGitSource(
    { url, ref: 'main', path: '', intervalMs: 1_000, backend },
    { stateDir, environment: process.env },
  );
  const cache = createRenderCache();
  const poll = async (): Promise<Snapshot> => (await source.poll(signal)) ?? missing();
  const render = async (snapshot: Snapshot): Promise<void> => {
    const repository = await loadFleetRepository(snapshot, cache);
    const { objects } = await renderCluster(repository, cluster, { fleetName: 'bench', cache, signal });
    if (objects.length !== manifestCount) throw new Error(`rendered ${objects.length} objects`);
  };
  const first = await timed(poll);
  const files = await timed(() => readAll(first.value));
  const renderMs = (await timed(() => render(first.value))).ms;
  await commitOneFile(bareDir, number);
  const next = await timed(poll);
  const nextRenderMs = (await timed(() => render(next.value))).ms;
  await source.close();
  return {
    fetchMs: first.ms,
    filesMs: files.ms,
    renderMs,
    nextFetchMs: next.ms,
    nextRenderMs,
    peakMb: peakMb(),
  };
}

async function readAll(snapshot: Snapshot): Promise<void> {
  const limit = pLimit(filesInFlight);
  await Promise.all(listFiles(snapshot).map((path) => limit(() => snapshot.read(path))));
}

function listFiles(snapshot: Snapshot, path = ''): string[] {
  const node: TreeNode | undefined = nodeAt(snapshot.tree, path);
  if (node?.kind !== 'directory') return [path];
  return [...node.children.keys()].flatMap((name) =>
    listFiles(snapshot, path === '' ? name : `${path}/${name}`),
  );
}

/** What isomorphic-git itself offers, as its documentation shows it: clone, walk the trees, read the blobs. */
async function readWithIsomorphicGit({ url, stateDir: dir }: Arguments): Promise<Reading> {
  const repository = { fs, dir, gitdir: dir, cache: {} };
  const limit = pLimit(filesInFlight);
  const blobs: string[] = [];
  const walk = async (oid: string): Promise<void> => {
    const { tree } = await git.readTree({ ...repository, oid });
    for (const entry of tree) {
      if (entry.type === 'tree') await walk(entry.oid);
      else blobs.push(entry.oid);
    }
  };
  const fetched = await timed(async () => {
    await git.clone({
      ...repository,
      http,
      url,
      depth: 1,
      singleBranch: true,
      noCheckout: true,
      noTags: true,
    });
    await walk(await git.resolveRef({ ...repository, ref: 'HEAD' }));
  });
  const files = await timed(() =>
    Promise.all(blobs.map((oid) => limit(() => git.readBlob({ ...repository, oid })))),
  );
  const none = { renderMs: 0, nextFetchMs: 0, nextRenderMs: 0 };
  return { fetchMs: fetched.ms, filesMs: files.ms, ...none, peakMb: peakMb() };
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const start = performance.now();
  const value = await work();
  return { value, ms: performance.now() - start };
}

function peakMb(): number {
  return process.resourceUsage().maxRSS / 1024;
}

function missing(): never {
  throw new Error('the repository is empty');
}

interface Arguments {
  readonly url: string;
  readonly bareDir: string;
  readonly stateDir: string;
  readonly number: number;
}

if (import.meta.main) {
  const [backend = '', url = '', bareDir = '', number = ''] = process.argv.slice(2);
  const stateDir = await mkdtemp(join(tmpdir(), 'fleetwright-reader-'));
  const args = { url, bareDir, stateDir, number: Number(number) };
  const reading =
    backend === 'embedded' || backend === 'native'
      ? await readWithFleetwright(backend, args)
      : await readWithIsomorphicGit(args);
  console.log(JSON.stringify(reading));
  await rm(stateDir, { recursive: true, force: true });
}
