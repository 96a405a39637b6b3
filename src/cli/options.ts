import { type Command, InvalidArgumentError, Option } from 'commander';

import { parseFormat, type ReportFormat, reportFormats } from '../report/format.ts';
import type { Scope, RevisionChoice } from './actions.ts';
import { resolve } from 'node:path';

import { UsageError } from './usage-error.ts';

export interface ScopeOptions {
  readonly cluster: readonly string[];
  readonly generator: readonly string[];
}

export interface RevisionOptions {
  readonly dir?: string;
  readonly ref?: string;
}

export interface OutputOptions<Format extends string = ReportFormat> {
  readonly output: Format;
}

/** --cluster and --generator, repeatable. */
export function withScope(command: Command): Command {
  const collect = (value: string, previous: readonly string[]): string[] => [...previous, value];
  return command
    .addOption(
      new Option('--cluster <name>', 'only this cluster; repeatable').argParser(collect).default([], 'all'),
    )
    .addOption(
      new Option('--generator <name>', 'only what this generator gives; repeatable')
        .argParser(collect)
        .default([], 'all'),
    );
}

/** --dir and --ref, of which one at most may be given. */
export function withRevision(command: Command): Command {
  return command
    .addOption(new Option('--dir <path>', 'read a working copy in place of the Git ref').conflicts('ref'))
    .addOption(new Option('--ref <ref>', 'read another branch, tag or commit'));
}

/** -o with the formats that the command has. */
export function withOutput(command: Command, formats: readonly string[]): Command {
  return command.addOption(
    new Option('-o, --output <format>', `one of ${formats.join(', ')}`)
      .default('text')
      .argParser((name) => readingFormat(() => parseFormat(name, formats))),
  );
}

/** -o and --verbose for commands that print a report. */
export function withReport(command: Command): Command {
  return withOutput(command, reportFormats).option(
    '--verbose',
    'list unchanged objects, too, and cut no value',
  );
}

function readingFormat<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof RangeError ? new InvalidArgumentError(error.message) : error;
  }
}

/** A whole number in a range, as an option's parser. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

export function scopeOf(options: ScopeOptions): Scope {
  return { clusters: options.cluster, generators: options.generator };
}

/** Relative folders start at `cwd`. @throws UsageError for an empty value. */
export function revisionOf(options: RevisionOptions, cwd: string): RevisionChoice {
  if (options.dir === '' || options.ref === '') throw new UsageError('--dir and --ref need a value.');
  if (options.dir !== undefined) return { kind: 'workingCopy', dir: resolve(cwd, options.dir) };
  return options.ref === undefined ? { kind: 'settings' } : { kind: 'ref', ref: options.ref };
}

/** The examples below a command's help. */
export function withExamples(command: Command, examples: readonly (readonly [string, string])[]): Command {
  const column = Math.max(...examples.map(([example]) => example.length)) + 2;
  const lines = examples.map(([example, what]) => `  ${example.padEnd(column)}${what}`);
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}
