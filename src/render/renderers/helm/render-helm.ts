import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { DesiredObject } from '../../../model/desired.ts';
import { FleetError } from '../../../model/fleet-error.ts';
import type { Origin } from '../../../model/origin.ts';
import { nodeAt } from '../../../model/snapshot.ts';
import { readManifestFile } from '../../manifests/read-manifests.ts';
import type { RenderedSource } from '../../render-source.ts';
import type { Placement } from '../../tools/stage-files.ts';
import type { Tool } from '../../tools/tool-version.ts';
import type { Tools } from '../../tools/tools.ts';
import { locateObject } from '../locate-object.ts';
import { joinPath } from '../repository-path.ts';
import { type OutputPart, readToolOutput } from '../tool-output.ts';
import type { Renderer, RenderRequest } from '../renderer.ts';
import { digestOf, entryAt, failedSource, faultAt, oidsOf, renderOnce } from '../tool-rendering.ts';
import { type Chart, fileInChart } from './chart.ts';
import { helmFault } from './helm-fault.ts';
import { appliesHook, hookEventsOf } from './hooks.ts';
import { studyChart } from './study-chart.ts';

/** Renders charts with what `helm template` gives for them. */
export function createHelmRenderer(tools: Tools): Renderer {
  return async (request) => {
    const { snapshot, path, generator, namespace, capabilities, signal } = request;
    const { chart, placements, faults } = await studyChart(snapshot, path, generator);
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
        template(request, chart, { tools, tool, staged, values, key }),
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
}

async function template(
  request: RenderRequest,
  chart: Chart,
  { tools, tool, staged, values, key }: Preparation,
): Promise<RenderedSource> {
  const { snapshot, helm, generator, signal } = request;
  const output = await tools.run({
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
  if (output.ok) return await readOutput(request, chart, output.stdout);
  const { message, ...place } = helmFault(output.stderr, chart, snapshot.tree);
  return { objects: [], faults: [faultAt(`helm: ${message}`, { generator, document: 1, ...place })] };
}

function helmArguments(
  { path, namespace, helm, capabilities }: RenderRequest,
  values: readonly string[],
): string[] {
  const { kubeVersion, apiVersions } = capabilities;
  return [
    'template',
    helm.releaseName,
    // Anything else than a path with a dot first could be the name of a chart elsewhere.
    `./${path}`,
    `--namespace=${namespace}`,
    ...values.map((file) => `--values=${file}`),
    helm.includeCRDs ? '--include-crds' : '--skip-crds',
    ...(kubeVersion === undefined ? [] : [`--kube-version=${kubeVersion}`]),
    ...apiVersions.map((apiVersion) => `--api-versions=${apiVersion}`),
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

async function readOutput(request: RenderRequest, chart: Chart, text: string): Promise<RenderedSource> {
  const { generator, namespace, helm, signal } = request;
  const objects: DesiredObject[] = [];
  const faults: FleetError[] = [];
  const skipped: string[] = [];
  for (const part of await readToolOutput(text, signal)) {
    for (const { ref, manifest } of part.objects) {
      const events = hookEventsOf(manifest);
      if (events.length > 0 && !appliesHook(events, helm.hooks)) {
        skipped.push(`${ref.kind} ${ref.name} (${events.join(', ')})`);
        continue;
      }
      const origin = await findOrigin(request, chart, { part, ref });
      objects.push({ ref, manifest, origin, defaultNamespace: namespace });
    }
    for (const { message } of part.faults) {
      const file = fileOf(request, chart, part);
      faults.push(
        faultAt(`what helm gives for ${part.title}: ${message}`, { generator, file, document: 1, line: 1 }),
      );
    }
  }
  return { objects, faults, ...warningsOf(request, skipped) };
}

function warningsOf(
  { generator }: RenderRequest,
  skipped: readonly string[],
): Pick<RenderedSource, 'warnings'> {
  if (skipped.length === 0) return {};
  const hooks = skipped.length === 1 ? '1 hook is' : `${skipped.length} hooks are`;
  return { warnings: [`${generator}: ${hooks} not applied: ${skipped.join(', ')}`] };
}

function fileOf({ snapshot }: RenderRequest, chart: Chart, { source }: OutputPart): string {
  return (source === undefined ? undefined : fileInChart(chart, source, snapshot.tree)) ?? chart.file;
}

/** The template's file, and the object's place in it where it stands there as it is, such as in a CRD's file. */
async function findOrigin(
  request: RenderRequest,
  chart: Chart,
  { part, ref }: { readonly part: OutputPart; readonly ref: DesiredObject['ref'] },
): Promise<Origin> {
  const { snapshot, generator, cache } = request;
  const file = fileOf(request, chart, part);
  const entry = file === chart.file || file.endsWith('.tgz') ? undefined : entryAt(snapshot, file);
  const found =
    entry === undefined ? undefined : locateObject(await readManifestFile(snapshot, entry, cache), ref);
  return { generator, file, document: found?.document ?? 1, line: found?.line ?? 1 };
}
