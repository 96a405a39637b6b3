import type { Command } from 'commander';

import { exitStatus } from '../../report/exit-status.ts';
import { renderReport } from '../../report/render-report.ts';
import { loadFleet } from '../load-fleet.ts';
import {
  type OutputOptions,
  revisionOf,
  type RevisionOptions,
  scopeOf,
  type ScopeOptions,
  withExamples,
  withReport,
  withRevision,
  withScope,
} from '../options.ts';
import { runAction, type Shell } from '../shell.ts';

interface PlanOptions extends ScopeOptions, RevisionOptions, OutputOptions {
  readonly exitCode?: boolean;
  readonly verbose?: boolean;
}

export function addPlan(program: Command, shell: Shell): void {
  const command = program
    .command('plan')
    .summary('show what a sync would change; writes nothing')
    .description(
      'Shows what a sync would change in every cluster, field by field. It writes nothing anywhere.',
    );
  withReport(withRevision(withScope(command))).option(
    '--exit-code',
    'exit with 2 when there are differences and nothing is held or failed',
  );
  withExamples(command, [
    ['fleetwright plan', 'what the next sync would do'],
    ['fleetwright plan --dir .', 'what the files here would do'],
    ['fleetwright plan --ref feature -o markdown', 'for the pull request of a branch'],
    ['fleetwright plan --exit-code', 'for scripts: 0 nothing to do, 1 held or failed, 2 differences'],
  ]).action(async (options: PlanOptions) => {
    await runAction(shell, command, {
      defaultLevel: 'warn',
      work: async (run) => {
        const revision = revisionOf(options, shell.environment.cwd);
        const settings = await loadFleet(run);
        const report = await run.actions.plan({ settings, scope: scopeOf(options), revision }, run.context);
        run.result(
          renderReport(report, { ...run.print, format: options.output, verbose: options.verbose ?? false }),
        );
        return exitStatus(report, { exitCode: options.exitCode ?? false });
      },
    });
  });
}
