import { spawn } from 'node:child_process';
import { once } from 'node:events';

const generatorCount = 200;
const directoriesEach = 10;
const filesEach = 10;
const branch = 'refs/heads/main';

/** Manifests in all: 20,000, in 2,000 directories. */
export const manifestCount = generatorCount * directoriesEach * filesEach;
export const commitCount = 200;

/** Files that each commit after the first touches. */
const filesPerCommit = 10;

/** A fleet of 200 generators, each with 10 directories of 10 ConfigMaps, grown over 200 commits. */
export async function seedFleet(bareDir: string): Promise<void> {
  const lines = [
    ...commitHead(0),
    ...Array.from({ length: generatorCount }, (_, app) =>
      file(`generators/app${app}.yaml`, generator(app)),
    ).flat(),
    ...Array.from({ length: manifestCount }, (_, index) => manifestFile(index, 0)).flat(),
  ];
  for (let commit = 1; commit < commitCount; commit++) {
    lines.push(...commitHead(commit));
    for (let turn = 0; turn < filesPerCommit; turn++) {
      lines.push(...manifestFile((commit * 3_701 + turn * 131) % manifestCount, commit));
    }
  }
  await fastImport(bareDir, lines.join(''));
}

/** One more commit, which touches one file. */
export async function commitOneFile(bareDir: string, number: number): Promise<void> {
  const from = [`from ${branch}^0\n`];
  const lines = [...commitHead(commitCount + number), ...from, ...manifestFile(number, commitCount + number)];
  await fastImport(bareDir, lines.join(''));
}

async function fastImport(bareDir: string, stream: string): Promise<void> {
  const git = spawn('git', ['--git-dir', bareDir, 'fast-import', '--quiet', '--force'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  git.stdin.end(stream);
  const [status] = (await once(git, 'close')) as [number];
  if (status !== 0) throw new Error(`git fast-import ended with ${status}`);
}

function commitHead(number: number): string[] {
  return [`commit ${branch}\ncommitter Bench <bench@example.org> ${1_767_225_600 + number} +0000\ndata 0\n`];
}

function file(path: string, text: string): string[] {
  return [`M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`];
}

function manifestFile(index: number, version: number): string[] {
  const app = Math.floor(index / (directoriesEach * filesEach));
  const directory = Math.floor(index / filesEach) % directoriesEach;
  const name = `part${index % filesEach}`;
  const text =
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: app${app}-${directory}-${name}\n  namespace: app${app}\n` +
    `  labels: {app: app${app}, component: c${directory}}\ndata:\n  version: "${version}"\n` +
    `  seed: "${Math.sin(index + version).toString(36)}"\n`;
  return file(`apps/app${app}/component${directory}/${name}.yaml`, text);
}

function generator(app: number): string {
  return (
    `apiVersion: fleetwright.dev/v1alpha1\nkind: Generator\nmetadata: {name: app${app}}\n` +
    `spec:\n  clusterSelector: {}\n  source: {path: apps/app${app}}\n`
  );
}
