import { Command, Option } from 'commander';

import { logLevels } from '../telemetry/logger.ts';
import { addApprove } from './commands/approve.ts';
import { addDemo } from './commands/demo.ts';
import { addDrift } from './commands/drift.ts';
import { addImport } from './commands/import.ts';
import { addPlan } from './commands/plan.ts';
import { addRender } from './commands/render.ts';
import { addRun } from './commands/run.ts';
import { addStatus } from './commands/status.ts';
import { addSync } from './commands/sync.ts';
import { addValidate } from './commands/validate.ts';
import { defaultSettingsFile } from './load-settings.ts';
import type { Shell } from './shell.ts';

const addCommands = [
  addDemo,
  addRun,
  addSync,
  addPlan,
  addDrift,
  addRender,
  addValidate,
  addStatus,
  addApprove,
  addImport,
];

/** The whole command line. It neither exits nor prints but through the shell's environment. */
export function buildProgram(shell: Shell): Command {
  const { stdout, stderr } = shell.environment;
  const program = new Command('fleetwright')
    .description('A GitOps sync engine for fleets of Kubernetes clusters.')
    .version(shell.version, '--version', 'print the version')
    .option('-c, --config <file>', `the settings (default: ${defaultSettingsFile})`)
    .addOption(new Option('--log-level <level>', 'how much to log on stderr').choices(logLevels))
    .option('--no-color', 'no colours, as with NO_COLOR')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => {
        stdout.write(text);
      },
      writeErr: (text) => {
        stderr.write(text);
      },
      getOutHelpWidth: () => stdout.columns ?? 100,
      getErrHelpWidth: () => stderr.columns ?? 100,
    })
    .exitOverride()
    .addHelpText(
      'after',
      '\nStart with `fleetwright demo`: real clusters on this machine, nothing to set up.',
    );
  for (const add of addCommands) add(program, shell);
  return program;
}
