import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

import { toFleetError } from '../../../../src/model/fleet-error.ts';
import { findIsolation } from '../../../../src/render/tools/network-isolation.ts';
import type { Placement } from '../../../../src/render/tools/stage-files.ts';
import { createTools, type Tools, type ToolsOptions } from '../../../../src/render/tools/tools.ts';
import { memorySnapshot } from '../memory-snapshot.ts';

const signal = AbortSignal.timeout(60_000);
const newHelm = 'echo v4.0.0';

describe('tools', () => {
  let dir: string;
  let tempDir: string;
  const opened: Tools[] = [];
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'fleetwright-fake-tools-'));
    tempDir = join(dir, 'temp');
    await mkdir(tempDir);
  });
  afterEach(async () => {
    for (const tools of opened.splice(0)) await tools.close();
    const left = await readdir(tempDir);
    await rm(dir, { recursive: true, force: true });
    expect(left).to.deep.equal([]);
  });

  const open = (options: Partial<ToolsOptions> = {}): Tools => {
    const tools = createTools({ paths: {}, searchPath: dir, tempDir, ...options });
    opened.push(tools);
    return tools;
  };

  /** A program that says its version, and otherwise runs a script. */
  const write = async (name: string, version: string, script = 'exit 0'): Promise<string> => {
    const path = join(dir, name);
    await writeFile(path, `#!/bin/sh\nif [ "$1" = version ]; then ${version}; exit; fi\n${script}\n`);
    await chmod(path, 0o755);
    return path;
  };

  const snapshot = memorySnapshot({ 'app/a.yaml': 'a: 1', 'app/b/c.txt': 'c', 'other.yaml': 'o: 1' });
  const run = async (
    tools: Tools,
    placements: readonly Placement[] = [],
    abort: AbortSignal = signal,
  ): Promise<string> => {
    const tool = await tools.helm(signal);
    const prepare = (): Promise<readonly string[]> => Promise.resolve(['go']);
    const output = await tools.run({ key: 'job', tool, snapshot, placements, prepare, signal: abort });
    return output.ok ? output.stdout : `failed: ${output.stderr}`;
  };
  const errorOf = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'no error',
      (error: unknown) => {
        const { code, message, retry } = toFleetError(error);
        return `${code}/${retry}: ${message.replaceAll(dir, '')}`;
      },
    );

  describe('that are looked for', () => {
    it('are taken from PATH, kustomize before kubectl', async () => {
      await write(
        'kubectl',
        `echo '{"clientVersion": {"gitVersion": "v1.36.0"}, "kustomizeVersion": "v5.8.1"}'`,
      );
      expect(await open().kustomize(signal)).to.deep.equal({
        name: 'kubectl',
        path: join(dir, 'kubectl'),
        version: 'kubectl v1.36.0 with kustomize v5.8.1',
      });
      await write('kustomize', 'echo v5.8.1');
      expect(await open().kustomize(signal)).to.have.property('version', 'kustomize v5.8.1');
    });

    it('are passed over on PATH where they are too old and another does', async () => {
      await write('kustomize', 'echo v4.5.7');
      await write('kubectl', `echo '{"clientVersion": {"gitVersion": "v1.30.1"}}'`);
      expect(await open().kustomize(signal)).to.have.property('version', 'kubectl v1.30.1');
    });

    it('are told to be missing with what to install and how to name it', async () => {
      const tools = open();
      expect(await errorOf(tools.kustomize(signal))).to.equal(
        'RenderFailed/interval: the source is made for kustomize, but there is no kustomize or kubectl on PATH. Install kustomize 5.0.0 or newer, or kubectl 1.27.0 or newer (https://kubectl.docs.kubernetes.io/installation/kustomize/), or name it in the settings as spec.tools.kustomize',
      );
      expect(await errorOf(tools.helm(signal))).to.match(
        /^RenderFailed\/interval: .* there is no helm on PATH\. Install helm 3\.14\.0/,
      );
    });

    it('are never another than the settings name', async () => {
      await write('helm', newHelm);
      const old = await write('old-helm', 'echo v3.1.0');
      const broken = await write('broken-helm', 'echo boom >&2; exit 1');
      const message = async (helm: string): Promise<string> =>
        errorOf(open({ paths: { helm } }).helm(signal));
      expect(await message(old)).to.include(
        'spec.tools.helm: /old-helm is version 3.1.0; 3.14.0 or newer is needed',
      );
      expect(await message(broken)).to.include(
        'spec.tools.helm: /broken-helm does not tell its version: boom',
      );
      expect(await message('/nowhere/helm')).to.include('/nowhere/helm is no program that may be run');
      expect(await message(tempDir)).to.include('is no program that may be run');
    });

    it('are not run from a folder that PATH names relatively', async () => {
      await write('helm', newHelm);
      expect(await errorOf(open({ searchPath: ':.:relative' }).helm(signal))).to.include(
        'there is no helm on PATH',
      );
    });

    it('are asked for their version once', async () => {
      const calls = join(dir, 'calls');
      await write('helm', `echo x >> ${calls}; echo v4.0.0`);
      const tools = open();
      await Promise.all([tools.helm(signal), tools.helm(signal)]);
      await tools.helm(signal);
      const second = open();
      expect(await second.helm(AbortSignal.abort()).catch(() => 'gave up')).to.equal('gave up');
      expect(await second.helm(signal)).to.have.property('version', 'helm v4.0.0');
    });
  });

  describe('that run', () => {
    it('see the files that they are given, and those alone', async () => {
      await write('helm', newHelm, 'find . -type f | sort; cat moved/a.yaml');
      const placements = [
        { path: 'app', at: 'moved' },
        { path: 'other.yaml', at: 'deep/down/other.yaml' },
      ];
      expect(await run(open(), placements)).to.equal(
        './deep/down/other.yaml\n./moved/a.yaml\n./moved/b/c.txt\na: 1',
      );
    });

    it('have an empty home and nothing of our environment', async () => {
      process.env['FLEETWRIGHT_TEST_TOKEN'] = 'secret';
      await write('helm', newHelm, 'ls -A "$HOME" "$TMPDIR" | grep -v :; cat "$HOME/.netrc" 2>&1; env');
      const text = await run(open());
      delete process.env['FLEETWRIGHT_TEST_TOKEN'];
      expect(text.split('\n').slice(0, 2).join('\n')).to.match(
        /^\s*cat: .*\.netrc: No such file or directory$/m,
      );
      expect(text).to.not.include('secret');
      expect(text).to.include('HTTPS_PROXY=http://127.0.0.1:9\n').and.include('KUBECONFIG=/dev/null\n');
    });

    it('have no network where the system can take it away', async function () {
      const isolate = await findIsolation({ PATH: '/usr/bin:/bin' }, signal);
      if (isolate === undefined) this.skip();
      await write('helm', newHelm, "tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '");
      expect(await run(open())).to.equal('lo\n');
    });

    it('tell their complaints with files named from the fleet’s root', async () => {
      await write('helm', newHelm, 'echo "cannot read $PWD/app/a.yaml in $PWD" >&2; exit 1');
      expect(await run(open())).to.equal('failed: cannot read app/a.yaml in .');
      await write('helm', newHelm, 'exit 7');
      expect(await run(open())).to.equal('failed: it ends with 7');
    });

    it('may take only so long, and are not tried again at once', async () => {
      const calls = join(dir, 'calls');
      await write('helm', newHelm, `echo x >> ${calls}; sleep 600`);
      const tools = open({ limits: { deadlineMs: 1_000 } });
      const late = 'DeadlineExceeded/interval: helm took longer than 1 s';
      expect(await errorOf(run(tools))).to.equal(late);
      expect(await errorOf(run(tools))).to.equal(late);
      expect(await readdir(dir)).to.include('calls');
    });

    it('may print only so much', async () => {
      await write('helm', newHelm, 'head -c 3000000 /dev/zero');
      const tools = open({ limits: { maxOutputBytes: 2 * 1024 * 1024 } });
      expect(await errorOf(run(tools))).to.equal('RenderFailed/never: helm printed more than 2 MiB');
    });

    it('leave nothing behind when they are ended', async () => {
      await write('helm', newHelm, 'echo > "$TMPDIR/junk"; sleep 600');
      const tools = open();
      const controller = new AbortController();
      const running = run(tools, [{ path: 'app', at: 'app' }], controller.signal);
      // Files come and go while they are listed, such as the journal of the lock: then the list is made anew.
      const listed = (): Promise<string[]> => readdir(tempDir, { recursive: true }).catch(() => []);
      while (!(await listed()).some((path) => path.endsWith('junk')));
      controller.abort(new Error('enough'));
      expect(await running.catch(String)).to.equal('Error: enough');
      const left = await readdir(tempDir, { recursive: true });
      expect(left.filter((path) => /\/(tree|home|temp|extra)/.test(path))).to.deep.equal([]);
    });

    it('are given no more than a source may hold', async () => {
      await write('helm', newHelm);
      const many = memorySnapshot(
        Object.fromEntries(Array.from({ length: 5_001 }, (_, index) => [`many/${index}.yaml`, 'a: 1'])),
      );
      const tools = open();
      const job = { key: 'many', tool: await tools.helm(signal), snapshot: many, signal };
      const running = tools.run({
        ...job,
        placements: [{ path: 'many', at: 'many' }],
        prepare: () => Promise.resolve([]),
      });
      expect(await errorOf(running)).to.equal(
        'RenderFailed/never: many hold 5001 files; at most 5000 can be given to a tool',
      );
    });
  });
});
