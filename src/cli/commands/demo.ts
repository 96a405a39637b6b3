import { type Command, Option } from 'commander';

import { exitStatus } from '../../report/exit-status.ts';
import { renderReport } from '../../report/render-report.ts';
import { type OutputOptions, wholeNumber, withExamples, withReport } from '../options.ts';
import { runAction, type Shell } from '../shell.ts';
import { UsageError } from '../usage-error.ts';

interface DemoOptions extends OutputOptions {
  readonly clusters: number;
  readonly port?: number;
  readonly once?: boolean;
  readonly verbose?: boolean;
}

export function addDemo(program: Command, shell: Shell): void {
  const command = program
    .command('demo')
    .summary('start real local control planes and a fleet to play with')
    .description(
      'Starts real local control planes, a Git server with the example fleet, the engine and its web page, and prints ' +
        'what to try. Everything ends with Ctrl-C.',
    )
    .addOption(new Option('--clusters <n>', 'how many clusters').default(3).argParser(wholeNumber(1, 20)))
    .addOption(
      new Option(
        '--port <port>',
        'where the web page listens; 8080, or any free port where that is taken',
      ).argParser(wholeNumber(0, 65_535)),
    )
    .option('--once', 'end after the first convergence and print its report');
  withExamples(withReport(command), [
    ['fleetwright demo', 'three clusters, until Ctrl-C'],
    ['fleetwright demo --once -o json', 'one convergence, nothing but its report on stdout'],
  ]).action(async (options: DemoOptions) => {
    await runAction(shell, command, {
      defaultLevel: options.once === true ? 'warn' : 'info',
      work: async (run) => {
        const { clusters, port, once = false, output } = options;
        if (!once && output !== 'text') {
          throw new UsageError(
            `-o ${output} prints a report, which a demo that stays up has not: add --once`,
          );
        }
        const report = await run.actions.demo(
          { clusters, once, ...(port !== undefined && { port }) },
          run.context,
        );
        if (report === undefined) return 0;
        run.result(
          renderReport(report, { ...run.print, format: options.output, verbose: options.verbose ?? false }),
        );
        return exitStatus(report, { exitCode: false });
      },
    });
  });
}
