import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startGitServer } from '../src/local/git-server.ts';
import { median, table } from './figures.ts';
import type { Reading } from './git-reader.ts';
import { seedFleet } from './git-workload.ts';

const backends = ['embedded', 'native', 'isomorphic-git'] as const;
type Backend = (typeof backends)[number];

/**
 * The first read of 20,000 manifests in 2,000 directories over smart HTTP, their first rendering, and both again after
 * a commit of one file: with the embedded Git, with the git on PATH, and the read alone with plain isomorphic-git. Each
 * reading is a process of its own; all take turns, and what counts are the ratios.
 */
export async function gitBench(args: readonly string[]): Promise<void> {
  const rounds = Number(args[0] ?? 3);
  const root = await mkdtemp(join(tmpdir(), 'fleetwright-bench-git-'));
  const server = await startGitServer({ root, environment: process.env });
  try {
    const bareDir = await server.createRepository('fleet');
    await seedFleet(bareDir);
    const readings = new Map<Backend, Reading[]>(backends.map((backend) => [backend, []]));
    for (let round = 0; round < rounds; round++) {
      for (const [turn, backend] of backends.entries()) {
        const number = String(round * backends.length + turn);
        readings.get(backend)?.push(await read([backend, server.url('fleet'), bareDir, number]));
      }
    }
    console.log(report(readings));
  } finally {
    await server.close();
    await rm(root, { recursive: true, force: true });
  }
}

async function read(args: readonly string[]): Promise<Reading> {
  const script = new URL('git-reader.ts', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args]);
  // The script is ours and prints just this.
  return JSON.parse(stdout) as Reading;
}

function report(readings: ReadonlyMap<Backend, readonly Reading[]>): string {
  const of = (backend: Backend, value: (reading: Reading) => number): number =>
    median((readings.get(backend) ?? []).map(value));
  const ms = (value: (reading: Reading) => number) => (backend: Backend) => {
    const middle = of(backend, value);
    return middle === 0 ? '' : `${middle.toFixed(0)} ms`;
  };
  const rows: readonly (readonly [string, (backend: Backend) => string])[] = [
    ['fetch, to the whole tree', ms(({ fetchMs }) => fetchMs)],
    ['all files', ms(({ filesMs }) => filesMs)],
    ['first read', ms(firstRead)],
    ['rendering of that', ms(({ renderMs }) => renderMs)],
    ['one-file commit: fetch', ms(({ nextFetchMs }) => nextFetchMs)],
    ['one-file commit: rendering', ms(({ nextRenderMs }) => nextRenderMs)],
    ['peak of memory', (backend) => `${of(backend, ({ peakMb }) => peakMb).toFixed(0)} MB`],
  ];
  const cells = rows.map(([name, cell]) => [name, ...backends.map(cell)]);
  const ratio = (slow: Backend, fast: Backend): string =>
    `first read, ${fast} against ${slow}: ${(of(slow, firstRead) / of(fast, firstRead)).toFixed(1)} times as fast`;
  return [
    table([['', ...backends], ...cells]),
    '',
    ratio('embedded', 'native'),
    ratio('isomorphic-git', 'native'),
    ratio('isomorphic-git', 'embedded'),
  ].join('\n');
}

function firstRead({ fetchMs, filesMs }: Reading): number {
  return fetchMs + filesMs;
}
