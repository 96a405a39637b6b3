import { CommanderError } from 'commander';

import { FleetError } from '../model/fleet-error.ts';
import { errorListRows } from '../report/text/error-rows.ts';
import { layOut } from '../report/text/table.ts';
import { renderFaults } from '../report/fault-lines.ts';
import { redact } from '../telemetry/redact.ts';
import type { LoadActions } from './actions.ts';
import { buildProgram } from './build-program.ts';
import { type Environment, usesColor } from './environment.ts';
import { Interrupted } from './interrupted.ts';
import { UsageError } from './usage-error.ts';

export interface CliOptions {
  readonly environment: Environment;
  readonly loadActions: LoadActions;
  readonly version: string;
}

/**
 * Runs a command line (without node and script) and gives the exit status. Nothing is thrown: what went wrong stands
 * on stderr, its stack only with --log-level debug.
 */
export async function runCli(args: readonly string[], options: CliOptions): Promise<number> {
  let status = 0;
  const program = buildProgram({
    ...options,
    finish: (result) => {
      status = result;
    },
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return status;
  } catch (error) {
    const { color, logLevel } = program.opts<{ color: boolean; logLevel?: string }>();
    return explain(error, {
      environment: options.environment,
      color: usesColor(options.environment, options.environment.stderr, color),
      withStack: logLevel === 'debug',
    });
  }
}

interface Explaining {
  readonly environment: Environment;
  readonly color: boolean;
  readonly withStack: boolean;
}

function explain(error: unknown, { environment, color, withStack }: Explaining): number {
  const print = (text: string): void => {
    environment.stderr.write(redact(text.endsWith('\n') ? text : `${text}\n`));
  };
  // Commander has printed already: help and version end well, anything else is a wrong argument.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 3;
  if (error instanceof UsageError) {
    print(renderFaults(error.faults, { color }) + error.message);
    return 3;
  }
  const interrupted = interruptedBy(error);
  if (interrupted !== undefined) {
    print(interrupted.message);
    return interrupted.status;
  }
  const fleetError = error instanceof FleetError ? error : new FleetError('Internal', messageOf(error));
  print(
    layOut(errorListRows([fleetError], 0), { color, width: environment.stderr.columns ?? 120 }).join('\n'),
  );
  if (withStack && error instanceof Error && error.stack !== undefined) print(error.stack);
  return fleetError.code === 'ConfigInvalid' ? 3 : 1;
}

/** Whether a signal is at the root of an error: fetch and timers wrap the reason they were aborted with. */
function interruptedBy(error: unknown): Interrupted | undefined {
  for (
    let current = error, depth = 0;
    current instanceof Error && depth < 8;
    current = current.cause, depth += 1
  ) {
    if (current instanceof Interrupted) return current;
  }
  return undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
