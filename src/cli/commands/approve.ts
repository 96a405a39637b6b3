import type { Command } from 'commander';

import { renderApproval } from '../../report/approval.ts';
import { loadFleet } from '../load-fleet.ts';
import { withExamples } from '../options.ts';
import { runAction, type Shell } from '../shell.ts';

export function addApprove(program: Command, shell: Shell): void {
  const command = program
    .command('approve')
    .summary('let through what is held, such as a large deletion')
    .description(
      'Lets through what is held under an id, as plan, sync and status show it. The approval is recorded, covers exactly ' +
        'what was shown and expires when that changes.',
    )
    .argument('<hold-id>', 'the id that a report shows');
  withExamples(command, [['fleetwright approve 3fa2c81b09de', 'the next sync does what was held']]).action(
    async (holdId: string) => {
      await runAction(shell, command, {
        defaultLevel: 'warn',
        work: async (run) => {
          const approved = await run.actions.approve({ settings: await loadFleet(run), holdId }, run.context);
          run.result(renderApproval(approved, run.print));
          return 0;
        },
      });
    },
  );
}
