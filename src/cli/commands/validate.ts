import type { Command } from 'commander';

import { faultsStatus } from '../../report/exit-status.ts';
import { toJsonText, toYamlText } from '../../report/render-report.ts';
import { renderValidation, validationJson } from '../../report/validation.ts';
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

const formats = ['text', 'json', 'yaml'] as const;
type ValidateOptions = ScopeOptions & RevisionOptions & OutputOptions<(typeof formats)[number]>;

export function addValidate(program: Command, shell: Shell): void {
  const command = program
    .command('validate')
    .summary('every fault in a fleet repository; needs no cluster')
    .description(
      'Finds every fault in the structure of a fleet repository, each with file:line:column. It needs no cluster, and so ' +
        'knows no fields of kinds: plan asks the clusters with a dry run and finds faults in those, too.',
    );
  withExamples(withOutput(withRevision(withScope(command)), formats), [
    ['fleetwright validate --dir .', 'the files here, without any settings; fit for CI and editors'],
    ['fleetwright validate --ref feature', 'a branch of the repository that the settings name'],
  ]).action(async (options: ValidateOptions) => {
    await runAction(shell, command, {
      defaultLevel: 'warn',
      work: async (run) => {
        const revision = revisionOf(options, shell.environment.cwd);
        const request = await loadOffline(run, { scope: scopeOf(options), revision });
        const found = await run.actions.validate(request, run.context);
        const printers = {
          text: () => renderValidation(found, run.print),
          json: () => toJsonText(validationJson(found)),
          yaml: () => toYamlText(validationJson(found)),
        };
        run.result(printers[options.output]());
        return faultsStatus(found.faults);
      },
    });
  });
}
