import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { arch, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { downloadBinaries, type DownloadOptions } from '../../../../src/local/control-plane/binaries/download-binaries.ts';
import type { DownloadLimits } from '../../../../src/local/control-plane/binaries/verified-download.ts';

const versions = { kubernetes: 'v1.36.3', etcd: 'v3.6.14', buildId: 'unused' };
const officialArch = arch() === 'arm64' ? 'arm64' : 'amd64';
const limits: DownloadLimits = { connectMs: 500, answerMs: 500, stallMs: 500, fileMs: 5_000 };

/** Answers by path: a content, a redirect, or silence. */
type Answer = Buffer | { readonly redirect: string } | 'silence' | 'half';

describe('downloadBinaries', () => {
  let dir: string;
  let server: Server;
  let answers: Map<string, Answer>;

  beforeEach(async function () {
    if (process.platform !== 'linux') this.skip();
    dir = await mkdtemp(join(tmpdir(), 'fleetwright-download-'));
    answers = await officialSite(dir);
    server = createServer((request, response) => {
      const answer = answers.get(request.url ?? '');
      if (answer === 'silence') return;
      if (answer === undefined) response.writeHead(404).end();
      else if (answer === 'half') response.writeHead(200, { 'content-length': '1000' }).write('half');
      else if ('redirect' in answer) response.writeHead(302, { location: answer.redirect }).end();
      else response.end(answer);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await rm(dir, { recursive: true, force: true });
  });

  const download = (changes: Partial<DownloadOptions> = {}) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return downloadBinaries({
      versions,
      cacheDir: join(dir, 'cache'),
      sites: { kubernetes: url, etcd: url },
      onProgress: () => undefined,
      signal: new AbortController().signal,
      limits,
      ...changes,
    });
  };
  const failure = async (changes: Partial<DownloadOptions> = {}): Promise<unknown> =>
    download(changes).then(
      () => undefined,
      (error: unknown) => error,
    );

  it('downloads all three, following redirects, and makes them executable', async () => {
    const apiServer = kubernetesPath('kube-apiserver');
    answers.set('/moved', answers.get(apiServer)!);
    answers.set(apiServer, { redirect: '/moved' });
    const { source, commands } = await download();
    expect(source).to.equal('downloaded');
    for (const [name, { path }] of Object.entries(commands)) {
      expect(await readFile(path, 'utf8')).to.equal(`the program ${name}`);
      expect((await stat(path)).mode & 0o100).to.equal(0o100);
    }
    expect(await readdir(join(commands.etcd.path, '..'))).to.have.members(Object.keys(commands));
  });

  it('asks nothing once it has them', async () => {
    const first = await download();
    answers.clear();
    expect(await download()).to.deep.equal(first);
  });

  for (const [what, path] of [
    ['a program', kubernetesPath('kube-controller-manager')],
    ['an archive', etcdPath(`etcd-${versions.etcd}-linux-${officialArch}.tar.gz`)],
  ] as const) {
    it(`refuses ${what} whose checksum is not the published one, and keeps nothing of it`, async () => {
      answers.set(path, Buffer.from('something else'));
      const error = await failure();
      expect(error).to.have.property('code', 'DependencyFailed');
      expect(error).to.have.property('message').that.matches(/has the checksum .* published is/);
      expect(await readdir(join(dir, 'cache'))).to.have.members(['download-failed', 'download-v1.36.3.lock']);
    });
  }

  it('gives up on a server that says nothing', async () => {
    answers.set(`${kubernetesPath('kube-apiserver')}.sha256`, 'silence');
    expect(await failure()).to.have.property('code').that.is.oneOf(['DeadlineExceeded', 'DependencyFailed']);
  });

  it('gives up on a server that stops in the middle', async () => {
    answers.set(kubernetesPath('kube-apiserver'), 'half');
    expect(await failure()).to.have.property('code', 'DependencyFailed');
  });

  it('says which file a server does not have', async () => {
    answers.delete(etcdPath('SHA256SUMS'));
    expect(await failure()).to.have.property('message').that.matches(/SHA256SUMS answered 404/);
  });

  it('tries again within the hour only where that is insisted on', async () => {
    answers.clear();
    await failure();
    answers = await officialSite(dir);
    expect(await failure()).to.have.property('message').that.matches(/less than an hour ago/);
    expect(await download({ insist: true })).to.have.property('source', 'downloaded');
  });

  it('ends when it is called off', async () => {
    answers.set(kubernetesPath('kube-apiserver'), 'half');
    const error = await failure({ signal: AbortSignal.timeout(100) });
    expect(error).to.have.property('name', 'TimeoutError');
    expect(await readdir(join(dir, 'cache'))).to.deep.equal(['download-v1.36.3.lock']);
  });
});

function kubernetesPath(program: string): string {
  return `/release/${versions.kubernetes}/bin/linux/${officialArch}/${program}`;
}

function etcdPath(file: string): string {
  return `/etcd-io/etcd/releases/download/${versions.etcd}/${file}`;
}

/** What the official sites serve, with tiny programs. */
async function officialSite(dir: string): Promise<Map<string, Answer>> {
  const site = new Map<string, Answer>();
  for (const program of ['kube-apiserver', 'kube-controller-manager']) {
    const content = Buffer.from(`the program ${program}`);
    site.set(kubernetesPath(program), content);
    site.set(`${kubernetesPath(program)}.sha256`, Buffer.from(sha256(content)));
  }
  const name = `etcd-${versions.etcd}-linux-${officialArch}`;
  await mkdir(join(dir, name), { recursive: true });
  await writeFile(join(dir, name, 'etcd'), 'the program etcd', { mode: 0o700 });
  await writeFile(join(dir, name, 'README.md'), 'not wanted');
  await promisify(execFile)('tar', ['-czf', `${name}.tar.gz`, name], { cwd: dir });
  const archive = await readFile(join(dir, `${name}.tar.gz`));
  site.set(etcdPath(`${name}.tar.gz`), archive);
  site.set(etcdPath('SHA256SUMS'), Buffer.from(`${sha256(archive)}  ${name}.tar.gz\n${sha256(Buffer.from(''))}  other.zip\n`));
  return site;
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
