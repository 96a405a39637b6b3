import { type Command, InvalidArgumentError, Option } from 'commander';

import { faultOfLabelKey, faultOfLabelValue } from '../../config/schema/label-syntax.ts';
import type { Labels } from '../../model/selector.ts';
import {
  renderValidation,
  type ValidationFormat,
  validationFormats,
} from '../../report/validation/render-validation.ts';
import { countFindings, withStrictness } from '../../report/validation/validation-result.ts';
import { loadOffline } from '../load-fleet.ts';
import {
  type OutputOptions,
  revisionOf,
  type RevisionOptions,
  scopeOf,
  type ScopeOptions,
  withExamples,
  withOutput,
  withRevision,
  withScope,
} from '../options.ts';
import { runAction, type Shell } from '../shell.ts';

interface ValidateOptions extends ScopeOptions, RevisionOptions, OutputOptions<ValidationFormat> {
  readonly labels: ReadonlyMap<string, Labels>;
  readonly strict?: boolean;
}

export function addValidate(program: Command, shell: Shell): void {
  const command = program
    .command('validate')
    .summary('every fault in a fleet repository; needs no cluster')
    .description(
      'Finds every fault in a fleet repository, each with file:line:column: in its structure, in what it gives each ' +
        'cluster, and in the fields of built-in kinds and of those whose definitions it holds. It needs no cluster.',
    );
  withRevision(withScope(command))
    .addOption(
      new Option(
        '--labels <k=v,…>',
        'a made-up cluster with these labels in the place of the registry; repeatable',
      )
        .argParser(addLabels)
        .default(new Map(), 'the registry')
        .conflicts('cluster'),
    )
    .option('--strict', 'warnings are errors');
  withExamples(withOutput(command, validationFormats), [
    ['fleetwright validate --dir .', 'the files here, without any settings; fit for CI and editors'],
    ['fleetwright validate --dir . --labels env=production,region=eu', 'for such a cluster'],
    [
      'fleetwright validate --ref feature -o sarif',
      'a branch of the repository that the settings name, for code review',
    ],
  ]).action(async (options: ValidateOptions) => {
    await runAction(shell, command, {
      defaultLevel: 'warn',
      work: async (run) => {
        const revision = revisionOf(options, shell.environment.cwd);
        const request = await loadOffline(run, { scope: scopeOf(options), revision });
        const found = await run.actions.validate({ ...request, labelSets: options.labels }, run.context);
        const result = options.strict === true ? withStrictness(found) : found;
        const { color } = run.print;
        run.result(renderValidation(result, { format: options.output, color, version: shell.version }));
        return countFindings(result).errors === 0 ? 0 : 1;
      },
    });
  });
}

/** 'env=production,region=eu' as one more set. @throws InvalidArgumentError for what can be no labels. */
function addLabels(text: string, previous: ReadonlyMap<string, Labels>): ReadonlyMap<string, Labels> {
  const pairs = text === '' ? [] : text.split(',').map((pair) => pair.split('='));
  const labels = pairs.map(([key = '', value, ...rest]) => {
    if (value === undefined || rest.length > 0)
      throw new InvalidArgumentError('Labels are written as in env=production,region=eu.');
    const fault = faultOfLabelKey(key) ?? faultOfLabelValue(value);
    if (fault !== undefined) throw new InvalidArgumentError(`In ${key}=${value}, ${fault}.`);
    return [key, value] as const;
  });
  return new Map([...previous, [`labels:${text}`, Object.fromEntries(labels)]]);
}
