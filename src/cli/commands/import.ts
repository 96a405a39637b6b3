import { resolve } from 'node:path';

import { type Command, InvalidArgumentError, Option } from 'commander';

import type { ImportFormat } from '../../import/import-documents.ts';
import type { ImportResult } from '../../model/import-result.ts';
import { generatorText, importJson, importStatus, renderImport } from '../../report/imported.ts';
import { toJsonText } from '../../report/render-report.ts';
import { usesColor } from '../environment.ts';
import { type OutputOptions, withExamples, withOutput } from '../options.ts';
import { type ActionRun, runAction, type Shell } from '../shell.ts';
import { writeGenerators } from '../write-generators.ts';

const formats = ['text', 'json'] as const;

interface ImportCommandOptions extends OutputOptions<(typeof formats)[number]> {
  readonly outputDir?: string;
  readonly force?: boolean;
  readonly server?: ReadonlyMap<string, string>;
  readonly repo?: string;
  readonly cluster?: string;
}

export function addImport(program: Command, shell: Shell): void {
  const group = program
    .command('import')
    .summary('generators from the files of other tools; writes to no cluster')
    .description(
      'Writes the generators that do the same as files of Argo CD or Flux, and says item by item what has no equal, what ' +
        'was changed in meaning, and what to do.',
    );
  addArgoCd(group, shell);
  addFlux(group, shell);
  withExamples(group, [
    ['fleetwright import argocd-applicationset apps.yaml', 'from ApplicationSets of Argo CD'],
    ['fleetwright import flux-kustomization clusters/*/*.yaml', 'from Kustomizations of Flux'],
  ]);
}

function addArgoCd(group: Command, shell: Shell): void {
  const command = withFiles(group.command('argocd-applicationset'), 'ApplicationSet of Argo CD')
    .addOption(
      new Option('--server <url=name>', 'the name of the cluster at that URL; repeatable').argParser(
        collectServer,
      ),
    )
    .option('--repo <url>', 'the Git repository that is, or will be, the fleet repository');
  withExamples(command, [
    ['fleetwright import argocd-applicationset apps.yaml', 'generators on stdout, findings on stderr'],
    [
      'fleetwright import argocd-applicationset sets/*.yaml --output-dir generators',
      'a file for each generator',
    ],
    [
      'kubectl get applicationsets -A -o yaml | fleetwright import argocd-applicationset -',
      'what is in a cluster',
    ],
  ]).action(actionOf('argocd-applicationset', command, shell));
}

function addFlux(group: Command, shell: Shell): void {
  const command = withFiles(group.command('flux-kustomization'), 'Kustomization of Flux').option(
    '--cluster <name>',
    'the cluster they are for; unless given, NAME of a path clusters/NAME/…',
  );
  withExamples(command, [
    [
      'fleetwright import flux-kustomization clusters/*/*.yaml',
      'one generator for those that differ by cluster alone',
    ],
    ['fleetwright import flux-kustomization apps.yaml --cluster shanghai', 'what is for one cluster'],
  ]).action(actionOf('flux-kustomization', command, shell));
}

function withFiles(command: Command, what: string): Command {
  const described = command
    .argument('<file...>', 'YAML or JSON, any number of documents each; - is what is piped in')
    .summary(`from documents of kind ${what}`)
    .description(
      `Translates documents of kind ${what} into generators. Ends with 0 when all was translated, and with 1 when ` +
        'something had no equal; what could be is written all the same.',
    )
    .option('--output-dir <dir>', 'write <dir>/<name>.yaml for each generator instead of stdout')
    .option('--force', 'overwrite files that are there');
  return withOutput(described, formats);
}

function actionOf(format: ImportFormat, command: Command, shell: Shell) {
  return async (files: readonly string[], options: ImportCommandOptions): Promise<void> => {
    await runAction(shell, command, {
      defaultLevel: 'warn',
      work: async (run) => {
        const { repo, cluster, server = new Map<string, string>() } = options;
        const request = {
          format,
          files,
          options: {
            servers: server,
            ...(repo !== undefined && { repository: repo }),
            ...(cluster !== undefined && { cluster }),
          },
        };
        const result = await run.actions.import(request, run.context);
        await print(run, result, options);
        return importStatus(result);
      },
    });
  };
}

/** Generators own stdout, so what is said of them goes where the log goes; JSON holds both. */
async function print(run: ActionRun, result: ImportResult, options: ImportCommandOptions): Promise<void> {
  const { environment, signal } = run.context;
  const { outputDir, force = false } = options;
  if (outputDir !== undefined) {
    const files = result.generators.map((each) => [`${each.name}.yaml`, generatorText(each)] as const);
    await writeGenerators(resolve(environment.cwd, outputDir), new Map(files), { force, signal });
  }
  if (options.output === 'json') {
    run.result(toJsonText(importJson(result)));
    return;
  }
  if (outputDir === undefined) run.result(result.generators.map(generatorText).join(''));
  else run.result(result.generators.map(({ name }) => `${outputDir}/${name}.yaml\n`).join(''));
  const color = usesColor(environment, environment.stderr, run.globals.color);
  environment.stderr.write(renderImport(result, { color }));
}

function collectServer(text: string, earlier?: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const split = text.lastIndexOf('=');
  const name = text.slice(split + 1);
  if (split < 1 || name === '') throw new InvalidArgumentError('It must be URL=NAME.');
  return new Map([...(earlier ?? []), [text.slice(0, split).replace(/\/+$/, ''), name]]);
}
