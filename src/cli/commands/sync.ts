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

interface SyncOptions extends ScopeOptions, OutputOptions {
  readonly verbose?: boolean;
}

export function addSync(program: Command, shell: Shell): void {
  const command = program
    .command('sync')
    .summary('bring every cluster to what Git says, once, and exit')
    .description('Brings every cluster to what Git says, once, and prints what was done.');
  withExamples(withReport(withScope(command)), [
    ['fleetwright sync', 'one pass over all clusters'],
    ['fleetwright sync --cluster shanghai-prod', 'one cluster only'],
    ['fleetwright sync -o json', 'a SyncReport for a machine'],
  ]).action(async (options: SyncOptions) => {
    await runAction(shell, command, {
      defaultLevel: 'warn',
      work: async (run) => {
        const settings = await loadFleet(run);
        const report = await run.actions.sync({ settings, scope: scopeOf(options) }, run.context);
        run.result(
          renderReport(report, { ...run.print, format: options.output, verbose: options.verbose ?? false }),
        );
        return exitStatus(report, { exitCode: false });
      },
    });
  });
}
