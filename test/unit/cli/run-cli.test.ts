import { expect } from 'chai';

import { FleetError } from '../../../src/model/fleet-error.ts';
import { cluster, metadata } from '../report/sample-reports.ts';
import { fakeEnvironment, run } from './fake-environment.ts';
import { useFolder } from './settings-folder.ts';

const report = { kind: 'SyncReport', metadata, clusters: [cluster('a')], errors: [] } as const;

describe('the command line', () => {
  const folder = useFolder();

  it('lists every command in its help, and examples in each command’s own', async () => {
    const environment = fakeEnvironment();
    expect(await run(['--help'], {}, environment)).to.equal(0);
    const commands = [
      ...['demo', 'run', 'sync', 'plan', 'drift', 'render', 'validate', 'status', 'approve'],
      'import',
    ];
    const section = environment.out().split('Commands:\n')[1]?.split('\n\n')[0] ?? '';
    const listed = section.split('\n').map((line) => line.trim().split(' ')[0]);
    expect(listed).to.deep.equal([...commands, 'help']);
    for (const command of commands) {
      const own = fakeEnvironment();
      expect(await run([command, '--help'], {}, own)).to.equal(0);
      expect(own.out()).to.contain(`Examples:\n  fleetwright ${command}`).and.to.contain('--config');
    }
  });

  it('tells its version', async () => {
    const environment = fakeEnvironment();
    expect(await run(['--version'], {}, environment)).to.equal(0);
    expect(environment.out()).to.equal('9.8.7\n');
  });

  const wrong: readonly [string[], string][] = [
    [[], 'Usage: fleetwright'],
    [['plna'], "unknown command 'plna'\n(Did you mean plan?)"],
    [['plan', '--exitcode'], '(Did you mean --exit-code?)'],
    [['plan', 'extra'], 'too many arguments'],
    [['plan', '-o', 'sarif'], "there is no format 'sarif' here; the formats are text, json, yaml, markdown"],
    [['demo', '-o', 'json'], 'which a demo that stays up has not: add --once'],
    [['status', '-o', 'markdown'], 'the formats are text, json, yaml'],
    [['plan', '--dir', '.', '--ref', 'main'], "'--dir <path>' cannot be used with option '--ref <ref>'"],
    [['plan', '--ref', ''], '--dir and --ref need a value.'],
    [['sync', '--dir', '.'], "unknown option '--dir'"],
    [['approve'], "missing required argument 'hold-id'"],
    [['demo', '--clusters', '0'], 'a whole number from 1 to 20'],
    [['demo', '--port', '1e3'], 'a whole number from 0 to 65535'],
    [['sync', '--log-level', 'loud'], 'Allowed choices are debug, info, warn, error'],
    [['sync', '-c', 'missing.yaml'], 'There is no settings file missing.yaml'],
    [['sync', '-c', '.'], 'The settings file . cannot be read'],
  ];
  for (const [args, message] of wrong) {
    it(`ends with 3 for \`${args.join(' ')}\``, async () => {
      const environment = fakeEnvironment({ cwd: folder.path });
      expect(await run(args, {}, environment)).to.equal(3);
      expect(environment.err()).to.contain(message);
      expect(environment.out()).to.equal('');
    });
  }

  it('ends with 1 when an action fails, with what to do and no stack', async () => {
    const environment = fakeEnvironment({ cwd: folder.path });
    const sync = () =>
      Promise.reject(new FleetError('GitUnauthorized', 'https://bot:s3cret@git.example.com refused us'));
    expect(await run(['sync'], { sync }, environment)).to.equal(1);
    expect(environment.err()).to.equal(`\
! GitUnauthorized
    https://[redacted]@git.example.com refused us
    → Renew the token named in source.auth.
`);
  });

  it('ends with 3 when an action finds the settings wrong', async () => {
    const sync = () => Promise.reject(new FleetError('ConfigInvalid', 'there is no cluster x'));
    expect(await run(['sync'], { sync }, fakeEnvironment({ cwd: folder.path }))).to.equal(3);
  });

  it('shows a stack with --log-level debug alone', async () => {
    for (const [args, shown] of [
      [['sync'], false],
      [['sync', '--log-level', 'debug'], true],
    ] as const) {
      const environment = fakeEnvironment({ cwd: folder.path });
      expect(await run(args, { sync: () => Promise.reject(new Error('boom')) }, environment)).to.equal(1);
      expect(environment.err()).to.contain('! Internal\n    boom\n');
      expect(environment.err().includes('run-cli.test')).to.equal(shown);
    }
  });

  it('colours a terminal only, unless told not to', async () => {
    const colored = async (args: string[], terminal: boolean, env: Record<string, string> = {}) => {
      const environment = fakeEnvironment({ cwd: folder.path, terminal, env });
      await run(['sync', ...args], { sync: () => Promise.resolve(report) }, environment);
      return environment.out().includes('\u001b[');
    };
    expect(await colored([], true)).to.equal(true);
    expect(await colored([], false)).to.equal(false);
    expect(await colored(['--no-color'], true)).to.equal(false);
    expect(await colored([], true, { NO_COLOR: '1' })).to.equal(false);
    expect(await colored([], true, { NO_COLOR: '' })).to.equal(true);
    expect(await colored([], true, { TERM: 'dumb' })).to.equal(false);
  });

  it('logs as JSON on stderr, at the level asked for', async () => {
    const environment = fakeEnvironment({ cwd: folder.path });
    const status = await run(
      ['sync', '--log-level', 'info'],
      {
        sync: (_, { log }) => {
          log.debug('hidden');
          log.info('shown', { cluster: 'a' });
          return Promise.resolve(report);
        },
      },
      environment,
    );
    expect(status).to.equal(0);
    expect(environment.err()).to.equal(
      '{"level":"info","time":"2026-11-30T14:02:13.000Z","cluster":"a","msg":"shown"}\n',
    );
  });
});

describe('signals', () => {
  const folder = useFolder();

  for (const [name, status] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`${name} aborts the action; what is thrown for it ends with ${status}`, async () => {
      const environment = fakeEnvironment({ cwd: folder.path });
      const sync = (_: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise<never>((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(new Error('aborted', { cause: signal.reason }));
          });
          environment.signal(name);
        });
      expect(await run(['sync'], { sync }, environment)).to.equal(status);
      expect(environment.err()).to.equal(`Interrupted by ${name}.\n`);
      expect(environment.exits).to.deep.equal([]);
      expect(environment.listeners()).to.equal(0);
    });
  }

  it('end `run` well', async () => {
    const environment = fakeEnvironment({ cwd: folder.path });
    const engine = (_: unknown, { signal }: { signal: AbortSignal }) => {
      environment.signal('SIGTERM');
      expect(signal.aborted).to.equal(true);
      return Promise.resolve();
    };
    expect(await run(['run'], { run: engine }, environment)).to.equal(0);
  });

  it('end the process at once the second time', async () => {
    const environment = fakeEnvironment({ cwd: folder.path });
    const engine = () => {
      environment.signal('SIGINT');
      expect(environment.exits).to.deep.equal([]);
      environment.signal('SIGINT');
      return Promise.resolve();
    };
    await run(['run'], { run: engine }, environment);
    expect(environment.exits).to.deep.equal([130]);
  });
});

describe('settings', () => {
  const folder = useFolder({
    'bad.yaml': 'apiVersion: fleetwright.dev/v1alpha1\nkind: Fleet\nmetadata: {name: a}\nspec: {sourc: {}}\n',
  });

  it('that are missing come with a file to begin with', async () => {
    const environment = fakeEnvironment({ cwd: folder.path });
    expect(await run(['sync'], {}, environment)).to.equal(3);
    expect(environment.err())
      .to.contain(`There is no fleetwright.yaml in ${folder.path}.`)
      .and.to.contain('kind: Fleet');
  });

  it('that are wrong are told with every fault and its place', async () => {
    const environment = fakeEnvironment({ cwd: folder.path });
    expect(await run(['sync', '-c', 'bad.yaml'], {}, environment)).to.equal(3);
    expect(environment.err()).to.match(/^bad\.yaml:4:\d+: ConfigInvalid: .*sourc/m);
    expect(environment.err()).to.contain('The settings in bad.yaml are not valid; nothing was tried.');
  });

  it('are not needed to validate a working copy', async () => {
    const requests: unknown[] = [];
    const validate = (request: unknown) => {
      requests.push(request);
      return Promise.resolve({
        revision: 'working-copy',
        kubernetes: '1.36',
        root: '',
        files: [],
        clusters: [],
        findings: [],
        notes: [],
      });
    };
    expect(
      await run(['validate', '--dir', '.'], { validate }, fakeEnvironment({ cwd: folder.path })),
    ).to.equal(0);
    expect(requests).to.deep.equal([
      {
        settings: undefined,
        scope: { clusters: [], generators: [] },
        revision: { kind: 'workingCopy', dir: folder.path },
        labelSets: new Map(),
      },
    ]);
  });
});
