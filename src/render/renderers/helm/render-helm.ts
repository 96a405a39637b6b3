import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { FleetError } from '../../../model/fleet-error.ts';
import { nodeAt } from '../../../model/snapshot.ts';
import type { RenderedSource } from '../../render-source.ts';
import type { Placement } from '../../tools/stage-files.ts';
import type { Tool } from '../../tools/tool-version.ts';
import type { ToolOutput, Tools } from '../../tools/tools.ts';
import type { Renderer, RenderRequest } from '../renderer.ts';
import { joinPath } from '../repository-path.ts';
import { digestOf, failedSource, faultAt, oidsOf, renderOnce } from '../tool-rendering.ts';
import type { Chart } from './chart.ts';
import { helmFault } from './helm-fault.ts';
import { changedObjects, readHelmOutput } from './read-helm-output.ts';
import { studyChart } from './study-chart.ts';

/** Renders charts with what `helm template` gives for them. */
export function createHelmRenderer(tools: Tools): Renderer {
  return async (request) => {
    const { snapshot, path, generator, namespace, capabilities, signal } = request;
    const { chart, placements, faults, isUnsteady } = await studyChart(snapshot, path, generator);
    if (chart === undefined || faults.length > 0) return { objects: [], faults };
    try {
      const values = valuesFilesOf(request);
      const tool = await tools.helm(signal);
      const staged = [...placements, ...values.filter((file) => !isWithin(file, path)).map(inPlace)];
      const oids = oidsOf(
        snapshot,
        staged.map((placement) => placement.path),
      );
      const cluster = [capabilities.kubeVersion, digestOf(capabilities.apiVersions)];
      const inputs = [tool.version, generator, namespace, path, request.helm, staged, oids, cluster];
      return await renderOnce(request, { inputs, file: chart.file }, (key) =>
        template(request, chart, { tools, tool, staged, values, key, isUnsteady }),
      );
    } catch (error) {
      return failedSource(error, request, chart.file);
    }
  };
}

interface Preparation {
  readonly tools: Tools;
  readonly tool: Tool;
  readonly staged: readonly Placement[];
  /** Paths from the fleet's root. */
  readonly values: readonly string[];
  readonly key: string;
  /** Whether one rendering may differ from the next. */
  readonly isUnsteady: boolean;
}

async function template(
  request: RenderRequest,
  chart: Chart,
  preparation: Preparation,
): Promise<RenderedSource> {
  const output = await run(request, preparation);
  const { generator } = request;
  if (!output.ok) {
    const { message, ...place } = helmFault(output.stderr, chart, request.snapshot.tree);
    return { objects: [], faults: [faultAt(`helm: ${message}`, { generator, document: 1, ...place })] };
  }
  const rendered = await readHelmOutput(request, chart, output.stdout);
  if (!preparation.isUnsteady) return rendered;
  const again = await run(request, preparation);
  if (!again.ok || again.stdout === output.stdout) return rendered;
  const changed = changedObjects(rendered, await readHelmOutput(request, chart, again.stdout));
  const message = `${generator}: the chart gives something else each time it is rendered, and then it is written: ${changed.join(', ')}; set the values that it makes up`;
  return { ...rendered, warnings: [...(rendered.warnings ?? []), message] };
}

function run(request: RenderRequest, { tools, tool, staged, values, key }: Preparation): Promise<ToolOutput> {
  const { snapshot, helm, signal } = request;
  return tools.run({
    key,
    tool,
    snapshot,
    placements: staged,
    async prepare({ extra }) {
      const inline = join(extra, 'values.json');
      await writeFile(inline, JSON.stringify(helm.values));
      return helmArguments(request, [...values, inline]);
    },
    signal,
  });
}

function helmArguments(
  { path, namespace, helm, capabilities }: RenderRequest,
  values: readonly string[],
): string[] {
  const { kubeVersion, apiVersions } = capabilities;
  return [
    'template',
    `--namespace=${namespace}`,
    ...values.map((file) => `--values=${file}`),
    helm.includeCRDs ? '--include-crds' : '--skip-crds',
    ...(kubeVersion === undefined ? [] : [`--kube-version=${kubeVersion}`]),
    ...apiVersions.map((apiVersion) => `--api-versions=${apiVersion}`),
    // A name is no option, whatever it begins with, and a path with a dot first is no chart elsewhere.
    '--',
    helm.releaseName,
    `./${path}`,
  ];
}

/** The values files that there are. @throws FleetError RenderFailed for one that is missing and not optional. */
function valuesFilesOf({ snapshot, path, helm }: RenderRequest): string[] {
  return helm.valuesFiles.flatMap(({ path: written, optional }) => {
    const file = written.startsWith('/') ? joinPath('', written.slice(1)) : joinPath(path, written);
    if (file === undefined)
      throw new FleetError('RenderFailed', `the values file ${written} leaves the fleet’s root`);
    if (nodeAt(snapshot.tree, file)?.kind === 'file') return [file];
    if (optional) return [];
    throw new FleetError('RenderFailed', `the values file ${file} is not in the repository`);
  });
}

function isWithin(file: string, folder: string): boolean {
  return folder === '' || file.startsWith(`${folder}/`);
}

function inPlace(path: string): Placement {
  return { path, at: path };
}
