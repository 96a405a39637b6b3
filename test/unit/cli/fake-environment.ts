import type { Actions } from '../../../src/cli/actions.ts';
import type { Environment, Output, SignalName } from '../../../src/cli/environment.ts';
import { runCli } from '../../../src/cli/run-cli.ts';

export interface FakeEnvironment extends Environment {
  readonly out: () => string;
  readonly err: () => string;
  readonly exits: number[];
  /** Sends a signal to whoever listens. */
  signal(name: SignalName): void;
  /** How many listen for signals. */
  listeners(): number;
  /** Moves the clock. */
  advanceMs(ms: number): void;
}

export interface FakeOptions {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly terminal?: boolean;
  readonly columns?: number;
  /** What is piped in. */
  readonly stdin?: string;
}

/** An environment in memory: fixed clock, UTC, no terminal unless asked for. */
export function fakeEnvironment({
  cwd = '/',
  env = {},
  terminal = false,
  columns = 100,
  stdin = '',
}: FakeOptions = {}): FakeEnvironment {
  const texts = { out: '', err: '' };
  const handlers = new Set<(name: SignalName) => void>();
  const exits: number[] = [];
  let nowMs = Date.parse('2026-11-30T14:02:13Z');
  const output = (key: 'out' | 'err'): Output => ({
    write(text) {
      texts[key] += text;
    },
    isTerminal: terminal,
    columns: terminal ? columns : undefined,
  });
  return {
    cwd,
    homeDir: '/home/ada',
    env,
    stdout: output('out'),
    stderr: output('err'),
    readStdin: () => Promise.resolve(Buffer.from(stdin)),
    timeZone: 'UTC',
    now: () => new Date(nowMs),
    onSignal(handle) {
      handlers.add(handle);
      return () => handlers.delete(handle);
    },
    exitNow: (status) => exits.push(status),
    out: () => texts.out,
    err: () => texts.err,
    exits,
    signal(name) {
      for (const handle of handlers) handle(name);
    },
    listeners: () => handlers.size,
    advanceMs(ms) {
      nowMs += ms;
    },
  };
}

/** Runs a command line on actions of which only some are there; a call of any other fails the test. */
export function run(
  args: readonly string[],
  actions: Partial<Actions>,
  environment = fakeEnvironment(),
): Promise<number> {
  const unexpected = () => Promise.reject(new Error('an action that the test does not expect was called'));
  const all: Actions = {
    demo: unexpected,
    run: unexpected,
    sync: unexpected,
    plan: unexpected,
    drift: unexpected,
    render: unexpected,
    validate: unexpected,
    status: unexpected,
    approve: unexpected,
    import: unexpected,
    ...actions,
  };
  return runCli(args, { environment, loadActions: () => Promise.resolve(all), version: '9.8.7' });
}
