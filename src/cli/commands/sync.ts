import { type Command, InvalidArgumentError, Option } from 'commander';

import { parseDuration } from '../../config/schema/duration.ts';
import { isWaiting } from '../../model/change.ts';
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
  readonly wait: number;
}

export function addSync(program: Command, shell: Shell): void {
  const command = program
    .command('sync')
    .summary('bring every cluster to what Git says, once, and exit')
    .description('Brings every cluster to what Git says, once, and prints what was done.');
  command.addOption(
    new Option(
      '--wait <duration>',
      'go on so long for objects that wait for the health of others; 0 does not',
    )
      .argParser(toMs)
      .default(300_000, '5m'),
  );
  withExamples(withReport(withScope(command)), [
    ['fleetwright sync', 'one pass over all clusters'],
    ['fleetwright sync --cluster shanghai-prod', 'one cluster only'],
    ['fleetwright sync -o json', 'a SyncReport for a machine'],
  ]).action(async (options: SyncOptions) => {
    await runAction(shell, command, {
      defaultLevel: 'warn',
      work: async (run) => {
        const settings = await loadFleet(run);
        const report = await run.actions.sync(
          { settings, scope: scopeOf(options), waitMs: options.wait },
          run.context,
        );
        run.result(
          renderReport(report, { ...run.print, format: options.output, verbose: options.verbose ?? false }),
        );
        // With time given, what still waits at its end was not done.
        const isLate = options.wait > 0 && report.clusters.some(({ changes }) => changes.some(isWaiting));
        return isLate ? 1 : exitStatus(report, { exitCode: false });
      },
    });
  });
}

function toMs(text: string): number {
  const parsed = parseDuration(text);
  if (parsed === undefined) throw new InvalidArgumentError('Write a duration such as 30s, 5m or 0.');
  return parsed;
}
