import type { Command } from 'commander';

import { exitStatus } from '../../report/exit-status.ts';
import { renderReport } from '../../report/render-report.ts';
import { loadFleet } from '../load-fleet.ts';
import {
  type OutputOptions,
  scopeOf,
  type ScopeOptions,
  withExamples,
  withReport,
  withScope,
} from '../options.ts';
import { runAction, type Shell } from '../shell.ts';

interface DriftOptions extends ScopeOptions, OutputOptions {
  readonly exitCode?: boolean;
  readonly verbose?: boolean;
}

export function addDrift(program: Command, shell: Shell): void {
  const command = program
    .command('drift')
    .summary('show how live clusters differ from Git, who changed them and when')
    .description(
      'Shows how the live clusters differ from what was applied: which field, who changed it, when, and which line in ' +
        'Git says otherwise. It writes nothing to clusters.',
    );
  withReport(withScope(command)).option(
    '--exit-code',
    'exit with 2 when something differs now and nothing failed',
  );
  withExamples(command, [
    ['fleetwright drift', 'the whole fleet'],
    ['fleetwright drift --cluster shanghai-prod', 'one cluster'],
    ['fleetwright drift -o json', 'a DriftReport for a machine'],
    ['fleetwright drift --exit-code', 'for scripts: 0 no drift, 1 failed, 2 drift'],
  ]).action(async (options: DriftOptions) => {
    await runAction(shell, command, {
      defaultLevel: 'warn',
      work: async (run) => {
        const settings = await loadFleet(run);
        const report = await run.actions.drift({ settings, scope: scopeOf(options) }, run.context);
        run.result(
          renderReport(report, { ...run.print, format: options.output, verbose: options.verbose ?? false }),
        );
        return exitStatus(report, { exitCode: options.exitCode ?? false });
      },
    });
  });
}
