import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { decodeText } from '../../../config/yaml/decode-text.ts';
import type { DesiredObject } from '../../../model/desired.ts';
import type { FleetError } from '../../../model/fleet-error.ts';
import type { Origin } from '../../../model/origin.ts';
import type { ManifestObject } from '../../manifests/manifest-file.ts';
import { readManifestFile } from '../../manifests/read-manifests.ts';
import type { RenderedSource } from '../../render-source.ts';
import type { Tool } from '../../tools/tool-version.ts';
import type { ToolOutput, Tools } from '../../tools/tools.ts';
import { lineOfGenerator } from './line-of-generator.ts';
import { hookEventsOf } from '../helm/hooks.ts';
import { locateObject } from '../locate-object.ts';
import { readToolOutput } from '../tool-output.ts';
import type { Capabilities, Renderer, RenderRequest } from '../renderer.ts';
import { digestOf, entryAt, failedSource, faultAt, oidsOf, renderOnce } from '../tool-rendering.ts';
import { findSources, type KustomizeSources } from './find-sources.ts';
import { kustomizeFault } from './kustomize-fault.ts';
import { canAskForOrigins, originOf, originRequest, withoutOrigin } from './kustomize-origins.ts';

/** Renders folders with what `kustomize build` gives for them. */
export function createKustomizeRenderer(tools: Tools): Renderer {
  return async (request) => {
    const { snapshot, path, generator, namespace, capabilities, signal } = request;
    const sources = await findSources(snapshot, path, generator);
    if (sources.faults.length > 0) return { objects: [], faults: sources.faults };
    const file = sources.kustomizations[0]?.file ?? path;
    try {
      const tool = await tools.kustomize(signal);
      const helm = sources.charts.length > 0 ? await tools.helm(signal) : undefined;
      const { kubeVersion, apiVersions } = capabilities;
      const chartInputs = helm === undefined ? [] : [helm.version, kubeVersion, digestOf(apiVersions)];
      const files = [sources.folders, oidsOf(snapshot, sources.folders)];
      const inputs = [tool.version, generator, namespace, path, ...files, ...chartInputs];
      return await renderOnce(request, { inputs, file }, (key) =>
        build(request, sources, { tools, tool, helm, key }),
      );
    } catch (error) {
      return failedSource(error, request, file);
    }
  };
}

interface Programs {
  readonly tools: Tools;
  readonly tool: Tool;
  /** Where charts are inflated. */
  readonly helm: Tool | undefined;
  readonly key: string;
}

async function build(
  request: RenderRequest,
  sources: KustomizeSources,
  programs: Programs,
): Promise<RenderedSource> {
  const withOrigins = canAskForOrigins(sources, await readPatches(request, sources));
  let output = await run(request, sources, { ...programs, withOrigins });
  // Whether something fails, and how, is decided by the files as they are.
  if (!output.ok && withOrigins) output = await run(request, sources, { ...programs, withOrigins: false });
  if (output.ok) return await readOutput(request, sources, output.stdout);
  const { message, ...place } = kustomizeFault(output.stderr, request.snapshot.tree, sources);
  const origin = { generator: request.generator, document: 1, ...place };
  return { objects: [], faults: [faultAt(`kustomize: ${message}`, origin)] };
}

async function readPatches(
  { snapshot }: RenderRequest,
  { patches }: KustomizeSources,
): Promise<readonly string[]> {
  const texts = await Promise.all(patches.map(async (file) => decodeText(await snapshot.read(file))));
  return texts.map((decoded) => (decoded.ok ? decoded.text : ''));
}

function run(
  { snapshot, path, capabilities, signal }: RenderRequest,
  sources: KustomizeSources,
  { tools, tool, helm, key, withOrigins }: Programs & { readonly withOrigins: boolean },
): Promise<ToolOutput> {
  const [first] = sources.kustomizations;
  return tools.run({
    key,
    tool,
    snapshot,
    placements: sources.folders.map((folder) => ({ path: folder, at: folder })),
    async prepare({ tree }) {
      if (withOrigins && first !== undefined)
        await writeFile(join(tree, first.file), first.text + originRequest);
      return [
        tool.name === 'kubectl' ? 'kustomize' : 'build',
        `./${path}`,
        '--load-restrictor=LoadRestrictionsRootOnly',
        ...(helm === undefined ? [] : chartArguments(helm, capabilities)),
      ];
    },
    signal,
  });
}

function chartArguments(helm: Tool, { kubeVersion, apiVersions }: Capabilities): string[] {
  return [
    '--enable-helm',
    `--helm-command=${helm.path}`,
    ...(kubeVersion === undefined ? [] : [`--helm-kube-version=${kubeVersion}`]),
    ...apiVersions.map((apiVersion) => `--helm-api-versions=${apiVersion}`),
  ];
}

async function readOutput(
  request: RenderRequest,
  sources: KustomizeSources,
  text: string,
): Promise<RenderedSource> {
  const { generator, namespace, signal } = request;
  const objects: DesiredObject[] = [];
  const faults: FleetError[] = [];
  const hooks: string[] = [];
  for (const part of await readToolOutput(text, signal)) {
    for (const object of part.objects) {
      const origin = await findOrigin(request, sources, object);
      const events = hookEventsOf(object.manifest);
      if (events.length > 0) hooks.push(`${object.ref.kind}/${object.ref.name} (${events.join(', ')})`);
      const manifest = withoutOrigin(object.manifest);
      objects.push({ ref: object.ref, manifest, origin, defaultNamespace: namespace });
    }
    for (const { message } of part.faults) {
      const file = sources.kustomizations[0]?.file ?? '';
      faults.push(
        faultAt(`what kustomize gives for ${part.title}: ${message}`, {
          generator,
          file,
          document: 1,
          line: 1,
        }),
      );
    }
  }
  if (hooks.length === 0) return { objects, faults };
  // kustomize makes them objects like any other, and so what comes out is the same here.
  const message = `${generator}: hooks of charts are applied like other objects: ${hooks.join(', ')}; skipHooks: true in helmCharts leaves them out`;
  return { objects, faults, warnings: [message] };
}

/** The resource's file or the kustomization that generates it; else the source's own kustomization. */
async function findOrigin(
  { snapshot, path, generator, cache }: RenderRequest,
  { kustomizations }: KustomizeSources,
  { ref, manifest }: ManifestObject,
): Promise<Origin> {
  const file = originOf(manifest, path) ?? kustomizations[0]?.file ?? path;
  const place = { generator, file, document: 1 };
  const kustomization = kustomizations.find((candidate) => candidate.file === file);
  if (kustomization !== undefined) return { ...place, line: lineOfGenerator(kustomization.document, ref) };
  const entry = entryAt(snapshot, file);
  if (entry === undefined) return { ...place, line: 1 };
  const found = locateObject(await readManifestFile(snapshot, entry, cache), ref);
  return { ...place, document: found?.document ?? 1, line: found?.line ?? 1 };
}
