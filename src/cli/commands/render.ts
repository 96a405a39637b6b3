import { resolve } from 'node:path';

import type { Command } from 'commander';

import { clusterScopeOf } from '../../render/cluster-scoped-kinds.ts';
import { faultsStatus } from '../../report/exit-status.ts';
import { manifestFiles, manifestStream } from '../../report/manifests.ts';
import { renderFaults } from '../../report/fault-lines.ts';
import type { RenderResult, Scope } from '../actions.ts';
import { loadOffline } from '../load-fleet.ts';
import {
  revisionOf,
  type RevisionOptions,
  scopeOf,
  type ScopeOptions,
  withExamples,
  withRevision,
  withScope,
} from '../options.ts';
import { type ActionRun, runAction, type Shell } from '../shell.ts';
import { writeManifests } from '../write-manifests.ts';

interface RenderOptions extends ScopeOptions, RevisionOptions {
  readonly outputDir?: string;
  readonly showSecrets?: boolean;
}

export function addRender(program: Command, shell: Shell): void {
  const command = program
    .command('render')
    .summary('the manifests for each cluster; needs no cluster')
    .description(
      'Renders the manifests for each cluster, as YAML on stdout or as files. It needs no cluster. Values of Secrets are ' +
        'hidden unless asked for.',
    );
  withRevision(withScope(command))
    .option(
      '--output-dir <dir>',
      'write <cluster>/<namespace>/<kind>.<group>.yaml in lower case; files that an earlier rendering left are removed',
    )
    .option('--show-secrets', 'write the values of Secrets, too');
  withExamples(command, [
    ['fleetwright render --cluster shanghai-prod', 'what one cluster gets'],
    ['fleetwright render --dir . --output-dir rendered', 'files to compare before and after a change'],
  ]).action(async (options: RenderOptions) => {
    await runAction(shell, command, {
      defaultLevel: 'warn',
      work: async (run) => {
        const scope = scopeOf(options);
        const request = await loadOffline(run, {
          scope,
          revision: revisionOf(options, shell.environment.cwd),
        });
        const rendered = await run.actions.render(request, run.context);
        const faults = [...rendered.faults, ...rendered.clusters.flatMap((state) => state.faults)];
        await output(run, rendered, { ...options, scope, complete: faults.length === 0 });
        const empty = emptiness(rendered, scope);
        if (empty !== undefined) shell.environment.stderr.write(`${empty}\n`);
        // Manifests own stdout, so faults go where the log goes.
        if (faults.length > 0) shell.environment.stderr.write(renderFaults(faults, { color: false }));
        return faultsStatus(faults);
      },
    });
  });
}

/** Nothing printed may mean that something is wrong, so it is said. */
function emptiness({ clusters }: RenderResult, { generators }: Scope): string | undefined {
  if (clusters.length === 0) return 'Nothing was rendered: no cluster is known.';
  if (clusters.some(({ objects }) => objects.length > 0)) return undefined;
  const what = generators.length === 0 ? 'the repository' : generators.join(', ');
  const where = clusters.length === 1 ? (clusters[0]?.cluster ?? '') : `any of ${clusters.length} clusters`;
  return `Nothing was rendered: ${what} gives nothing to ${where}.`;
}

async function output(
  run: ActionRun,
  { clusters }: RenderResult,
  options: RenderOptions & { readonly scope: Scope; readonly complete: boolean },
): Promise<void> {
  const how = { showSecrets: options.showSecrets ?? false, clusterScopeOf };
  if (options.outputDir === undefined) {
    run.result(manifestStream(clusters, how));
    return;
  }
  const { scope, complete } = options;
  const folders = new Set(clusters.map((state) => `${state.cluster}/`));
  const { written, unchanged, removed } = await writeManifests(
    resolve(run.context.environment.cwd, options.outputDir),
    manifestFiles(clusters, how),
    {
      // What was not rendered, whole, says nothing of what is out of date.
      isStale: (path) =>
        complete &&
        scope.generators.length === 0 &&
        (scope.clusters.length === 0 || folders.has(path.slice(0, path.indexOf('/') + 1))),
      signal: run.context.signal,
    },
  );
  run.result(`${options.outputDir}: ${written} written, ${unchanged} unchanged, ${removed} removed\n`);
}
