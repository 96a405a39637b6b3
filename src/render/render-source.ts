import type { RenderType } from '../config/generator/generator.ts';
import type { DesiredObject } from '../model/desired.ts';
import { FleetError } from '../model/fleet-error.ts';
import type { Snapshot, TreeNode } from '../model/snapshot.ts';
import { detectRenderer } from './detect-renderer.ts';
import type { TemplateData } from './templates/template-data.ts';
import type { RenderCache } from './render-cache.ts';
import { renderFiles } from './render-files.ts';
import type { Capabilities, HelmOptions, Renderers } from './renderers/renderer.ts';

/** What one source gives: its objects as far as it could be read, and all that is wrong with it. */
export interface RenderedSource {
  readonly objects: readonly DesiredObject[];
  readonly faults: readonly FleetError[];
  /** Things a person should know that are no faults; left out where there are none. */
  readonly warnings?: readonly string[];
}

export interface Source {
  /** See Origin. */
  readonly generator: string;
  readonly path: string;
  readonly node: TreeNode;
  readonly type: RenderType;
  readonly namespace: string;
  /** Files that are no manifests of the source. */
  readonly except?: readonly string[];
  readonly data: TemplateData;
  readonly capabilities: Capabilities;
  readonly helm: HelmOptions;
}

/** What all sources of one revision are rendered with. */
export interface SourceContext {
  readonly snapshot: Snapshot;
  readonly cache: RenderCache;
  readonly renderers: Renderers;
  readonly signal: AbortSignal;
}

/** Makes objects of a source, by what it is made for. One broken file takes none of the others with it. */
export async function renderSource(source: Source, context: SourceContext): Promise<RenderedSource> {
  if (source.type !== 'auto') return await renderAs(source.type, source, context);
  const detected = detectRenderer(source.node, source.path);
  if (detected.type !== 'unclear') return await renderAs(detected.type, source, context);
  return failedSource(detected.message, source.generator, detected.file);
}

async function renderAs(
  type: Exclude<RenderType, 'auto'>,
  source: Source,
  context: SourceContext,
): Promise<RenderedSource> {
  if (type === 'plain' || type === 'template') return await renderFiles(type, source, context);
  const { generator, path, node, namespace, data, capabilities, helm } = source;
  if (node.kind !== 'directory') {
    return failedSource(`render.type is ${type}, which needs a folder, and this is none`, generator, path);
  }
  const renderer = context.renderers[type];
  if (renderer === undefined) {
    return failedSource(`the source is made for ${type}, and nothing here renders that`, generator, path);
  }
  const { snapshot, cache, signal } = context;
  return await renderer({
    snapshot,
    path,
    node,
    generator,
    namespace,
    data,
    capabilities,
    helm,
    cache,
    signal,
  });
}

function failedSource(message: string, generator: string, file: string): RenderedSource {
  const origin = { generator, file, document: 1, line: 1 };
  return { objects: [], faults: [new FleetError('RenderFailed', message, { origin })] };
}
