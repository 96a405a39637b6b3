import type { JsonObject } from '../../model/json.ts';
import type { DirectoryNode, Snapshot } from '../../model/snapshot.ts';
import type { HelmSettings } from '../../config/generator/generator.ts';
import type { TemplateData } from '../templates/template-data.ts';
import type { RenderCache } from '../render-cache.ts';
import type { RenderedSource } from '../render-source.ts';

/** What a renderer gets: one folder of one revision, and what it is rendered for. */
export interface RenderRequest {
  readonly snapshot: Snapshot;
  /** The source's folder from the fleet's root; '' is the root. */
  readonly path: string;
  readonly node: DirectoryNode;
  /** See Origin. */
  readonly generator: string;
  /** For namespaced objects that name none. */
  readonly namespace: string;
  readonly data: TemplateData;
  readonly capabilities: Capabilities;
  /** For charts; with defaults where the generator sets nothing. */
  readonly helm: HelmOptions;
  readonly cache: RenderCache;
  readonly signal: AbortSignal;
}

/** What charts are told of the cluster. */
export interface Capabilities {
  /** '1.34' or 'v1.36.3'; undefined while it is not known. */
  readonly kubeVersion: string | undefined;
  /** 'group/version' and 'group/version/Kind'. */
  readonly apiVersions: readonly string[];
}

/** `render.helm` with every template in it rendered. */
export interface HelmOptions extends Pick<HelmSettings, 'valuesFiles' | 'includeCRDs' | 'hooks'> {
  readonly releaseName: string;
  readonly values: JsonObject;
}

/**
 * Makes objects of a folder. Everything that is wrong is in the result; nothing is thrown but the signal's reason.
 * Keeps its own results in the cache, under all that they depend on: only it knows which files it read.
 */
export type Renderer = (request: RenderRequest) => Promise<RenderedSource>;

/** The renderers that run tools. One that is missing makes a fault of each source that needs it. */
export interface Renderers {
  readonly kustomize?: Renderer;
  readonly helm?: Renderer;
}
