import type { Command } from 'commander';

import { loadFleet } from '../load-fleet.ts';
import { withExamples } from '../options.ts';
import { runAction, type Shell } from '../shell.ts';

export function addRun(program: Command, shell: Shell): void {
  const command = program
    .command('run')
    .summary('the engine: follow Git, sync, correct drift, serve HTTP')
    .description(
      'Follows Git, syncs every cluster, corrects drift and serves HTTP, until SIGTERM or Ctrl-C.',
    );
  withExamples(command, [
    ['fleetwright run', 'with fleetwright.yaml of this folder'],
    ['fleetwright run -c /etc/fleetwright.yaml --log-level debug', 'with other settings, logging everything'],
  ]).action(async () => {
    await runAction(shell, command, {
      defaultLevel: 'info',
      work: async (run) => {
        await run.actions.run(
          { settings: await loadFleet(run), settingsPath: run.globals.config },
          run.context,
        );
        return 0;
      },
    });
  });
}
