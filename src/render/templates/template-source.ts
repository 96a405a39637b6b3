import type { FleetError } from '../../model/fleet-error.ts';
import { type ManifestFile, readManifestText } from '../manifests/manifest-file.ts';
import type { BoundedCache } from '../bounded-cache.ts';
import type { PartialFile } from './partials.ts';
import { failedFile, failedTemplate, renderManifest } from './render-manifest.ts';
import { isTemplate } from './render-template.ts';
import type { TemplateData } from './template-data.ts';
import { type ParsedTemplate, TemplateEngine } from './template-engine.ts';
import { joinReads, pickReads, readsNothing, readsOf, type TemplateReads } from './template-reads.ts';

/** The templates of one source, read and parsed. Immutable, and the same for every cluster. */
export interface TemplateSource {
  /** What of the data the files can read. */
  readonly reads: TemplateReads;
  /** The files that give objects, or faults, by their paths from the fleet's root. */
  readonly paths: readonly string[];
  /** What one of these files gives. */
  render(path: string, data: TemplateData): ManifestFile;
}

/** A file of a source, as it was read. */
export interface SourceFile {
  /** From the fleet's root. */
  readonly path: string;
  /** From the source's folder. */
  readonly name: string;
  /** It is there for others to include, and is no manifest itself. */
  readonly isIncluded: boolean;
  readonly content:
    | { readonly ok: true; readonly text: string }
    | { readonly ok: false; readonly message: string; readonly error?: FleetError };
  readonly weight: number;
}

/** A file when all that needs no data is done. */
type Prepared =
  | { readonly kind: 'fixed'; readonly file: ManifestFile }
  | {
      readonly kind: 'template';
      readonly template: ParsedTemplate;
      readonly reads: TemplateReads;
      readonly weight: number;
    };

interface SourceOptions {
  /** Equal for equal files at the same place. */
  readonly key: string;
  /** From the fleet's root. */
  readonly folder: string;
  /** Keeps what files give, for equal data. */
  readonly results?: BoundedCache<ManifestFile>;
}

/** Files parsed with all that they may include. */
export class ParsedSource implements TemplateSource {
  readonly reads: TemplateReads;
  readonly paths: readonly string[];
  readonly #engine: TemplateEngine;
  readonly #files = new Map<string, Prepared>();
  readonly #key: string;
  readonly #folder: string;
  readonly #results: BoundedCache<ManifestFile> | undefined;

  constructor(files: readonly SourceFile[], { key, folder, results }: SourceOptions) {
    this.#key = key;
    this.#folder = folder;
    this.#results = results;
    const partials = files.filter(({ isIncluded }) => isIncluded);
    this.#engine = new TemplateEngine(new Map(partials.map((file) => [file.name, partialOf(file)])));
    const included = joinReads(partials.map((file) => this.#readsOf(file)));
    for (const file of files) {
      const prepared = this.#prepare(file, included);
      if (prepared !== undefined) this.#files.set(file.path, prepared);
    }
    this.paths = [...this.#files.keys()];
    this.reads = joinReads(
      [...this.#files.values()].map((file) => (file.kind === 'template' ? file.reads : readsNothing)),
    );
  }

  render(path: string, data: TemplateData): ManifestFile {
    const file = this.#files.get(path);
    if (file === undefined) return { objects: [], faults: [] };
    if (file.kind === 'fixed') return file.file;
    const key = JSON.stringify([this.#key, path, pickReads(data, file.reads)]);
    const known = this.#results?.get(key);
    if (known !== undefined) return known;
    const rendered = this.#fromRoot(renderManifest(this.#engine, file.template, data));
    this.#results?.set(key, rendered, file.weight);
    return rendered;
  }

  #prepare({ name, isIncluded, content, weight }: SourceFile, included: TemplateReads): Prepared | undefined {
    if (!content.ok) return { kind: 'fixed', file: failedFile(content.message, content.error?.code) };
    if (isIncluded) return undefined;
    if (!isTemplate(content.text)) return { kind: 'fixed', file: readManifestText(content.text) };
    const parsed = this.#engine.parse(content.text, name);
    if (!parsed.ok) return { kind: 'fixed', file: this.#fromRoot(failedTemplate(parsed.fault, name)) };
    const own = readsOf(parsed.value.templates);
    // Which files it includes is not followed: it may read whatever any of them reads.
    const reads = mayInclude.test(content.text) ? joinReads([own, included]) : own;
    return { kind: 'template', template: parsed.value, reads, weight };
  }

  /** Templates name one another from the source's folder. */
  #fromRoot({ objects, faults }: ManifestFile): ManifestFile {
    const inFolder = (file: string): string => (this.#folder === '' ? file : `${this.#folder}/${file}`);
    return {
      objects,
      faults: faults.map((fault) =>
        fault.file === undefined ? fault : { ...fault, file: inFolder(fault.file) },
      ),
    };
  }

  #readsOf({ name, content }: SourceFile): TemplateReads {
    const parsed = content.ok ? this.#engine.parse(content.text, name) : undefined;
    return parsed?.ok === true ? readsOf(parsed.value.templates) : readsNothing;
  }
}

const mayInclude = /\b(include|render|layout)\b/;

function partialOf({ content }: SourceFile): PartialFile {
  return content.ok ? { kind: 'text', text: content.text } : { kind: 'unreadable', reason: content.message };
}
