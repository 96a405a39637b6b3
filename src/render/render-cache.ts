import pLimit, { type LimitFunction } from 'p-limit';

import type { DirectoryNode } from '../model/snapshot.ts';
import { BoundedCache } from './bounded-cache.ts';
import type { Expansion } from './generators/expand-each.ts';
import type { ItemFile } from './generators/read-item-file.ts';
import type { ManifestFile } from './manifests/manifest-file.ts';
import type { RenderedSource } from './render-source.ts';
import type { KeptRenderings } from './renderers/kept-renderings.ts';
import type { TemplateSource } from './templates/template-source.ts';

/** Bytes of manifest files whose parsed form is kept; parsed, they take a small multiple of it. */
const maxFileBytes = 64 * 1024 * 1024;
const maxItemFileBytes = 16 * 1024 * 1024;
const maxTemplateBytes = 32 * 1024 * 1024;
/** Objects in kept results; mostly pointers to parsed files. */
const maxObjects = 200_000;
/** Blobs read at a time. */
const maxReads = 32;

/**
 * What survives from one rendering to the next. Everything is keyed by content, so nothing in it is ever out of date
 * and one cache may serve any number of revisions and clusters.
 */
export interface RenderCache {
  /** The text of files by blob id: parsed manifests. */
  readonly files: BoundedCache<ManifestFile>;
  /** The maps of `each.files` by blob id. */
  readonly itemFiles: BoundedCache<ItemFile>;
  /** What `each` gives, by the revision's tree and the generator's key. */
  readonly expansions: WeakMap<DirectoryNode, Map<string, Promise<Expansion>>>;
  /** Parsed templates, by their folder and its tree. */
  readonly templates: BoundedCache<TemplateSource>;
  /** Whole sources, before overrides. */
  readonly sources: BoundedCache<RenderedSource>;
  /** What is being done right now, so that neither two clusters nor two items do it twice. */
  readonly underWay: {
    readonly files: Map<string, Promise<ManifestFile>>;
    readonly templates: Map<string, Promise<TemplateSource>>;
    readonly sources: Map<string, Promise<RenderedSource>>;
  };
  /** Where results of programs outlive the process, if anywhere. */
  readonly kept?: KeptRenderings;
  readonly limit: LimitFunction;
  readonly counts: RenderCounts;
}

/** How much was done, since nothing of it shows in results. */
export interface RenderCounts {
  /** Sources that were really rendered. */
  renderings: number;
}

/** An empty cache. @param kept where results of programs are looked for and kept beyond this process. */
export function createRenderCache(kept?: KeptRenderings): RenderCache {
  return {
    ...(kept === undefined ? {} : { kept }),
    files: new BoundedCache(maxFileBytes),
    itemFiles: new BoundedCache(maxItemFileBytes),
    expansions: new WeakMap(),
    templates: new BoundedCache(maxTemplateBytes),
    sources: new BoundedCache(maxObjects),
    underWay: { files: new Map(), templates: new Map(), sources: new Map() },
    limit: pLimit(maxReads),
    counts: { renderings: 0 },
  };
}
