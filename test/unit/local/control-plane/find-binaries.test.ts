import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { findBinaries, type FindOptions } from '../../../../src/local/control-plane/find-binaries.ts';
import { componentNames } from '../../../../src/local/control-plane/component-name.ts';
import { FleetError } from '../../../../src/model/fleet-error.ts';

/** Nothing listens there. */
const nowhere = { kubernetes: 'http://127.0.0.1:9', etcd: 'http://127.0.0.1:9' };

describe('findBinaries', () => {
  let dir: string;
  let progress: string[];

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'fleetwright-find-'));
    progress = [];
  });
  afterEach(async () => {
    await rm(dir, { recursive: true, force: true });
  });

  const find = (changes: Partial<FindOptions> = {}) =>
    findBinaries({
      env: { PATH: join(dir, 'bin') },
      onProgress: (line) => progress.push(line),
      signal: new AbortController().signal,
      cacheDir: join(dir, 'cache'),
      sites: nowhere,
      ...changes,
    });
  const failure = async (changes: Partial<FindOptions> = {}): Promise<FleetError> => {
    const error: unknown = await find(changes).catch((thrown: unknown) => thrown);
    if (error instanceof FleetError) return error;
    throw new Error('expected a FleetError', { cause: error });
  };

  it('takes the programs that are installed, wherever each is', async () => {
    await program(join(dir, 'assets', 'etcd'));
    await program(join(dir, 'bin', 'kube-apiserver'));
    await program(join(dir, 'bin', 'kube-controller-manager'));
    await program(join(dir, 'bin', 'etcd'));
    const found = await find({ env: { KUBEBUILDER_ASSETS: join(dir, 'assets'), PATH: join(dir, 'bin') } });
    expect(found).to.deep.equal({
      source: 'installed',
      commands: {
        etcd: { path: join(dir, 'assets', 'etcd'), args: [] },
        'kube-apiserver': { path: join(dir, 'bin', 'kube-apiserver'), args: [] },
        'kube-controller-manager': { path: join(dir, 'bin', 'kube-controller-manager'), args: [] },
      },
    });
    expect(progress).to.deep.equal([]);
  });

  it('does not take a set that lacks one, nor a file that may not be run', async () => {
    await program(join(dir, 'bin', 'kube-apiserver'));
    await program(join(dir, 'bin', 'kube-controller-manager'));
    await program(join(dir, 'bin', 'etcd'));
    await chmod(join(dir, 'bin', 'etcd'), 0o600);
    expect(await failure({ go: missingGo(dir) })).to.have.property('code', 'DependencyFailed');
  });

  it('builds once, and finds the build from then on', async () => {
    const go = await fakeGo(dir);
    const built = await find({ go });
    const [, , apiServer] = [built.source, built.commands.etcd, built.commands['kube-apiserver']];
    expect(built.source).to.equal('built');
    expect(apiServer.args).to.deep.equal(['kube-apiserver']);
    expect(await readFile(apiServer.path, 'utf8')).to.equal('#!/bin/sh\n');
    expect(progress).to.include(
      'Building etcd and Kubernetes v1.36.3 with go: once, usually about 4 minutes on 2 cores',
    );
    progress = [];
    expect(await find({ go: missingGo(dir) })).to.deep.equal(built);
    expect(progress).to.deep.equal([]);
  });

  it('builds once when two start at the same time', async () => {
    const go = await fakeGo(dir);
    const env = { FLEETWRIGHT_CONTROL_PLANE: 'build', PATH: '' };
    const [first, second] = await Promise.all([find({ go, env }), find({ go, env })]);
    expect(second).to.deep.equal(first);
    expect(await readFile(join(dir, 'builds'), 'utf8')).to.equal('built\n');
    expect(progress).to.include('Another process is building Kubernetes v1.36.3; waiting for it');
  });

  it('stamps the version into the build, and leaves nothing half done behind a failure', async () => {
    const go = await fakeGo(dir, 'echo "$@" >&2; exit 1');
    const error = await failure({ go, env: { FLEETWRIGHT_CONTROL_PLANE: 'build' } });
    expect(error.message).to.include('-X k8s.io/component-base/version.gitVersion=v1.36.3');
    expect(error.message).to.include('-X k8s.io/component-base/version.gitMinor=36');
    const [buildId] = await readdir(join(dir, 'cache'));
    expect(await readdir(join(dir, 'cache', buildId!))).to.deep.equal(['lock']);
  });

  it('ends the build when it is called off', async () => {
    const go = await fakeGo(dir, 'exec sleep 600');
    const env = { ...process.env, FLEETWRIGHT_CONTROL_PLANE: 'build' };
    const error: unknown = await find({ go, env, signal: AbortSignal.timeout(200) }).catch((thrown: unknown) => thrown);
    expect(error).to.have.property('name', 'TimeoutError');
  });

  it('says what was tried and the four things that would help', async () => {
    const { message, retry } = await failure({ go: missingGo(dir) });
    expect(retry).to.equal('never');
    expect(message).to.match(/tried download: .*127\.0\.0\.1:9/);
    expect(message).to.match(/tried build: go build failed/);
    for (const option of [/1\. .*kubeconfig/, /2\. .*KUBEBUILDER_ASSETS/, /3\. .*dl\.k8s\.io/, /4\. Go 1\.26/]) {
      expect(message).to.match(option);
    }
  });

  it('does not try a download again that failed a moment ago', async () => {
    await failure({ go: missingGo(dir) });
    const { message } = await failure({ go: missingGo(dir) });
    expect(message).to.match(/tried download: failed less than an hour ago/);
  });

  it('keeps to the one way that is asked for', async () => {
    for (const name of componentNames) await program(join(dir, 'bin', name));
    const env = { PATH: join(dir, 'bin') };
    expect(await find({ env: { ...env, FLEETWRIGHT_CONTROL_PLANE: 'path' } })).to.have.property('source', 'installed');
    const download = await failure({ env: { ...env, FLEETWRIGHT_CONTROL_PLANE: 'download' }, go: await fakeGo(dir) });
    expect(download.message).to.not.match(/tried build/);
  });

  it('refuses a way that does not exist', async () => {
    expect(await failure({ env: { FLEETWRIGHT_CONTROL_PLANE: 'magic' } })).to.include({
      code: 'ConfigInvalid',
      message: "FLEETWRIGHT_CONTROL_PLANE is 'magic'; it can be path, download or build",
    });
  });
});

async function program(path: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, '#!/bin/sh\n', { mode: 0o700 });
}

/** Takes the arguments of `go build` and writes a program; a slow one, so that two meet. */
async function fakeGo(dir: string, script = defaultGo(dir)) {
  const path = join(dir, 'go');
  await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
  return { path, args: [] };
}

function defaultGo(dir: string): string {
  return `
    PATH=/usr/bin:/bin
    echo built >> '${dir}/builds'
    sleep 0.5
    while [ "$1" != -o ]; do shift; done
    printf '#!/bin/sh\\n' > "$2"
    chmod 700 "$2"`;
}

function missingGo(dir: string) {
  return { path: join(dir, 'no-go'), args: [] };
}
