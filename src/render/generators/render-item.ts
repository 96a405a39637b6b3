import { formatPath } from '../../config/parse-document.ts';
import { faultOfName } from '../../config/schema/label-syntax.ts';
import type { HelmSettings } from '../../config/generator/generator.ts';
import { defined } from '../../model/defined.ts';
import type { ErrorCode } from '../../model/error-codes.ts';
import type { JsonObject } from '../../model/json.ts';
import type { ServerFacts } from '../../model/server-facts.ts';
import { nodeAt } from '../../model/snapshot.ts';
import { type RenderedSource, renderSource, type SourceContext } from '../render-source.ts';
import type { HelmOptions } from '../renderers/renderer.ts';
import type { ValidEntry } from '../repository/fleet-repository.ts';
import { renderTemplate } from '../templates/render-template.ts';
import { renderValue } from '../templates/render-value.ts';
import type { TemplateData } from '../templates/template-data.ts';
import { generatorFault, type GeneratorPath } from './generator-fault.ts';
import { capabilitiesOf, defaultHelm } from './helm-options.ts';

const nothing: RenderedSource = { objects: [], faults: [] };

/**
 * The source of a generator for one cluster, or one item in it, before overrides. The very same result where all that
 * was read is the same.
 * @throws FleetError where a template of the generator fails, at its place.
 */
export async function renderItem(
  entry: ValidEntry,
  { data, server }: { readonly data: TemplateData; readonly server: ServerFacts | undefined },
  context: SourceContext,
): Promise<RenderedSource> {
  const { name, optional, render } = entry.generator;
  const texts = new GeneratorTexts(entry, data);
  const path = texts.path();
  const namespace = texts.namespace();
  const node = nodeAt(context.snapshot.tree, path);
  if (node === undefined) {
    if (optional) return nothing;
    const message = `source.path: there is no ${JSON.stringify(path)} in the repository`;
    throw generatorFault(entry, message, { path: ['spec', 'source', 'path'] });
  }
  const capabilities = capabilitiesOf(server, render.helm);
  const helm = texts.helm();
  const source = { generator: name, path, node, type: render.type, namespace, data, capabilities, helm };
  return await renderSource(source, context);
}

/** The parts of a generator that are templates, rendered. Each throws a FleetError at its place. */
class GeneratorTexts {
  readonly #entry: ValidEntry;
  readonly #data: TemplateData;

  constructor(entry: ValidEntry, data: TemplateData) {
    this.#entry = entry;
    this.#data = data;
  }

  path(): string {
    const at = ['spec', 'source', 'path'];
    const text = this.#text(this.#entry.generator.sourcePath, at);
    const path = normalPath(text);
    if (path !== undefined) return path;
    throw generatorFault(this.#entry, `source.path: ${JSON.stringify(text)} leaves the fleet’s root`, {
      path: at,
    });
  }

  namespace(): string {
    const at = ['spec', 'namespace'];
    const namespace = this.#text(this.#entry.generator.namespace ?? 'default', at);
    const fault = faultOfName(namespace, 63);
    if (fault === undefined) return namespace;
    throw generatorFault(this.#entry, `namespace: ${fault}`, { path: at });
  }

  helm(): HelmOptions {
    const { name, render } = this.#entry.generator;
    const { helm } = render;
    if (helm === undefined) return { ...defaultHelm, releaseName: name };
    const { valuesFiles, releaseName = name, values, includeCRDs, hooks } = helm;
    const at = ['spec', 'render', 'helm'];
    return {
      releaseName: this.#text(releaseName, [...at, 'releaseName']),
      valuesFiles: valuesFiles.map((file, index) => ({
        path: this.#valuesFile(file, [...at, 'valuesFiles', index]),
        optional: file.optional,
      })),
      values: this.#values(values, [...at, 'values']),
      includeCRDs,
      hooks,
    };
  }

  #valuesFile({ path }: HelmSettings['valuesFiles'][number], at: GeneratorPath): string {
    const text = this.#text(path, at);
    if (text !== '' && !text.split('/').includes('..')) return text;
    throw generatorFault(
      this.#entry,
      `render.helm.valuesFiles: ${JSON.stringify(text)} is no path of a file`,
      { path: at },
    );
  }

  #values(values: JsonObject, at: GeneratorPath): JsonObject {
    const result = renderValue(values, this.#data);
    if (result.ok) return result.value;
    const [first] = result.faults;
    throw this.#fault(first ?? { message: 'it cannot be rendered' }, [...at, ...(first?.path ?? [])]);
  }

  #text(template: string, at: GeneratorPath): string {
    const result = renderTemplate(template, this.#data);
    if (result.ok) return result.text;
    throw this.#fault(result, at);
  }

  #fault({ message, code }: { readonly message: string; readonly code?: ErrorCode }, at: GeneratorPath) {
    return generatorFault(this.#entry, `${describe(at)}: ${message}`, defined({ path: at, code }));
  }
}

/** 'source.path' for spec.source.path: all of it is in spec. */
function describe(at: GeneratorPath): string {
  return formatPath(at.slice(1));
}

/** 'a/b' for './a//b/'; undefined for a path that climbs. A label in it must not lead out of the repository. */
function normalPath(path: string): string | undefined {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.includes('..') || path.startsWith('/') ? undefined : parts.join('/');
}
