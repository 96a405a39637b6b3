import type { Command } from 'commander';

import { createLogger, type Logger, type LogLevel } from '../telemetry/logger.ts';
import type { ActionContext, Actions, LoadActions } from './actions.ts';
import { type Environment, usesColor } from './environment.ts';
import { Interrupted } from './interrupted.ts';
import { createProgress, type Progress } from './progress.ts';

/** What every command shares: where it runs, what does the work, and where its exit status goes. */
export interface Shell {
  readonly environment: Environment;
  readonly loadActions: LoadActions;
  readonly version: string;
  finish(status: number): void;
}

/** The options that every command has. */
export interface GlobalOptions {
  readonly config?: string;
  readonly logLevel?: LogLevel;
  readonly color: boolean;
}

/** How a command prints its result. */
export interface PrintOptions {
  readonly color: boolean;
  readonly width: number;
  readonly timeZone: string;
  /** The --config that was given: commands shown to the reader name it, too. */
  readonly settingsPath?: string;
}

export interface ActionRun {
  readonly actions: Actions;
  readonly context: ActionContext;
  readonly globals: GlobalOptions;
  readonly print: PrintOptions;
  /** Writes a result to stdout; progress is cleared first. */
  result(text: string): void;
}

/** Beyond this, columns stand too far apart to be read as one line; a pipe has no width of its own. */
const widthWithoutTerminal = 120;

/**
 * Runs a command's work with logging, progress and signals set up, and everything put back after.
 * @param defaultLevel what is logged unless --log-level says otherwise.
 */
export async function runAction(
  shell: Shell,
  command: Command,
  options: { readonly defaultLevel: LogLevel; readonly work: (run: ActionRun) => Promise<number> },
): Promise<void> {
  const { environment } = shell;
  const globals = command.optsWithGlobals<GlobalOptions>();
  const progress = createProgress(environment, {
    color: usesColor(environment, environment.stderr, globals.color),
  });
  const log = loggerFor(environment, globals, { progress, level: options.defaultLevel });
  const controller = new AbortController();
  const stopListening = listen(environment, controller, progress);
  try {
    const status = await options.work({
      actions: await shell.loadActions(),
      context: {
        environment,
        signal: controller.signal,
        log,
        onProgress: progress.handle,
        print(text) {
          progress.pause();
          environment.stdout.write(text);
        },
      },
      globals,
      print: printOptions(environment, globals),
      result(text) {
        progress.done();
        environment.stdout.write(text);
      },
    });
    shell.finish(status);
  } finally {
    progress.done();
    stopListening();
  }
}

function printOptions(environment: Environment, globals: GlobalOptions): PrintOptions {
  return {
    color: usesColor(environment, environment.stdout, globals.color),
    width: environment.stdout.columns ?? widthWithoutTerminal,
    timeZone: environment.timeZone,
    ...(globals.config !== undefined && { settingsPath: globals.config }),
  };
}

/** Lines of the log go through the progress, which would otherwise be drawn into the middle of them. */
function loggerFor(
  environment: Environment,
  globals: GlobalOptions,
  { progress, level }: { progress: Progress; level: LogLevel },
): Logger {
  return createLogger({
    level: globals.logLevel ?? level,
    destination: { write: progress.message },
    pretty: environment.stderr.isTerminal,
    color: usesColor(environment, environment.stderr, globals.color),
    now: () => environment.now(),
  });
}

function listen(environment: Environment, controller: AbortController, progress: Progress): () => void {
  return environment.onSignal((name) => {
    const interrupted = new Interrupted(name);
    if (controller.signal.aborted) {
      progress.done();
      environment.exitNow(interrupted.status);
      return;
    }
    if (environment.stderr.isTerminal) progress.message('Stopping; once more ends it at once.\n');
    controller.abort(interrupted);
  });
}
