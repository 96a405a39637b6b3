/**
 * Makes a fresh clone ready for `npm test` and `npm run demo`; a fraction of a second when it is ready already.
 * Runs on the host's own Node (20 or later), before anything is installed: it may import nothing but Node.
 * Everything it says goes to stderr, so that a command's own output stays clean.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const oldestNodeMajor = 20;
const installTimeoutMs = 15 * 60_000;
const controlPlanePrograms = ['etcd', 'kube-apiserver', 'kube-controller-manager'];

const say = (text) => process.stderr.write(`${text}\n`);

function fail(text) {
  say(`setup: ${text}`);
  process.exit(1);
}

/** What a program prints, or undefined where it is missing or fails. */
function outputOf(program, ...args) {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', timeout: 30_000 });
  return status === 0 ? stdout.trim() : undefined;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function checkNode() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major >= oldestNodeMajor) return;
  fail(
    `Node ${oldestNodeMajor} or later is needed to begin with; this is ${process.version}. See https://nodejs.org.`,
  );
}

function checkGit() {
  const libexec = outputOf('git', '--exec-path');
  if (libexec === undefined) fail('git was not found. Install it with your package manager.');
  // The demo and the tests serve repositories with it; some distributions package it apart from git.
  if (!isExecutable(join(libexec, 'git-http-backend'))) {
    fail(`git has no http-backend in ${libexec}. Install it (Alpine: git-daemon; Fedora: git-core).`);
  }
}

/** Go is needed only where no control plane is at hand, so its absence is worth a word and no more. */
function checkGo() {
  if (outputOf('go', 'version') !== undefined) return;
  const folders = [process.env.KUBEBUILDER_ASSETS ?? '', ...(process.env.PATH ?? '').split(delimiter)];
  const atHand = controlPlanePrograms.every((name) =>
    folders.some((folder) => isExecutable(join(folder, name))),
  );
  if (atHand) return;
  say('setup: Go was not found. Where no control plane is on this machine and none can be downloaded,');
  say('       it is built with Go: see https://go.dev/doc/install.');
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/**
 * Whether node_modules holds exactly what package-lock.json says and its Node runs here.
 * npm writes node_modules/.package-lock.json last, so an interrupted installation has none.
 */
function isInstalled() {
  const wanted = readPackages('package-lock.json');
  const installed = readPackages('node_modules/.package-lock.json');
  if (wanted === undefined) fail('package-lock.json cannot be read.');
  if (installed === undefined) return false;
  const same = (path) =>
    installed[path]?.version === wanted[path]?.version &&
    installed[path]?.integrity === wanted[path]?.integrity;
  // Optional packages are absent where they are made for another platform.
  const missing = Object.keys(wanted).some((path) => path !== '' && !wanted[path].optional && !same(path));
  const left = Object.keys(installed).some((path) => !same(path));
  return !missing && !left && pinnedNodeRuns();
}

/** A folder copied from another platform, or installed without install scripts, has no Node that runs. */
function pinnedNodeRuns() {
  return outputOf(join(root, 'node_modules', 'node', 'bin', 'node'), '--version') !== undefined;
}

function install() {
  say('setup: installing packages (npm ci), about a minute …');
  const { status, error } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    timeout: installTimeoutMs,
    // npm's own chatter goes to stderr as well.
    stdio: ['ignore', 2, 2],
  });
  if (error?.code === 'ENOENT') fail('npm was not found; it comes with Node.');
  if (status !== 0) fail('npm ci failed; the lines above say why.');
  if (pinnedNodeRuns()) return;
  fail(
    'the package "node" was installed without its install script. Run: npm rebuild node --ignore-scripts=false',
  );
}

checkNode();
checkGit();
checkGo();
if (!isInstalled()) install();
