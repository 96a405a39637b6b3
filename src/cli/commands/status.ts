import type { Command } from 'commander';

import { statusExit } from '../../report/exit-status.ts';
import { renderStatus, statusJson } from '../../report/fleet-status.ts';
import { toJsonText, toYamlText } from '../../report/render-report.ts';
import { loadFleet } from '../load-fleet.ts';
import {
  type OutputOptions,
  scopeOf,
  type ScopeOptions,
  withExamples,
  withOutput,
  withScope,
} from '../options.ts';
import { runAction, type Shell } from '../shell.ts';

const formats = ['text', 'json', 'yaml'] as const;
type StatusOptions = ScopeOptions & OutputOptions<(typeof formats)[number]>;

export function addStatus(program: Command, shell: Shell): void {
  const command = program
    .command('status')
    .summary('clusters, generators, last sync, health')
    .description(
      'Shows the fleet at a glance: each cluster with its last sync and health, each generator with its reach. ' +
        'Whether a cluster answers is asked now; what drifted, is held or failed there is as of its last sync.',
    );
  withExamples(withOutput(withScope(command), formats), [
    ['fleetwright status', 'the whole fleet as a table'],
    ['fleetwright status -o json', 'the same for a machine'],
  ]).action(async (options: StatusOptions) => {
    await runAction(shell, command, {
      defaultLevel: 'warn',
      work: async (run) => {
        const settings = await loadFleet(run);
        const status = await run.actions.status({ settings, scope: scopeOf(options) }, run.context);
        const printers = {
          text: () => renderStatus(status, run.print),
          json: () => toJsonText(statusJson(status, run.print)),
          yaml: () => toYamlText(statusJson(status, run.print)),
        };
        run.result(printers[options.output]());
        return statusExit(status);
      },
    });
  });
}
