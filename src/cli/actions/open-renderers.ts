import { tmpdir } from 'node:os';

import type { FleetSettings } from '../../model/settings.ts';
import { createHelmRenderer } from '../../render/renderers/helm/render-helm.ts';
import { createKustomizeRenderer } from '../../render/renderers/kustomize/render-kustomize.ts';
import type { Renderers } from '../../render/renderers/renderer.ts';
import { createTools } from '../../render/tools/tools.ts';
import type { Environment } from '../environment.ts';

export interface OpenRenderers {
  readonly renderers: Renderers;
  /** Removes what is left on disk, once nothing is rendered any more. */
  readonly close: () => Promise<void>;
}

/** The renderers that run tools: those that the settings name, or those on PATH. Costs nothing until one is needed. */
export function openRenderers(settings: FleetSettings | undefined, { env }: Environment): OpenRenderers {
  const tools = createTools({
    paths: settings?.tools ?? {},
    searchPath: env['PATH'] ?? '',
    tempDir: tmpdir(),
  });
  return {
    renderers: { kustomize: createKustomizeRenderer(tools), helm: createHelmRenderer(tools) },
    close: () => tools.close(),
  };
}
