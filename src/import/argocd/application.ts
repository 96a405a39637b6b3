import type { JsonObject } from '../../model/json.ts';
import { type GeneratorDraft, type GeneratorSpec, plainName } from '../generator-draft.ts';
import type { MapReader } from '../map-reader.ts';
import type { Notes, Path } from '../notes.ts';
import { checkRepository, checkRevision } from '../repository.ts';
import { liquidText } from '../template/template.ts';
import type { Translate } from '../template/translator.ts';
import { type ArgoContext, type Combination, translatorFor } from './combination.ts';
import { readDestination } from './destination.ts';
import { tellApplicationMetadata, tellOtherKeys } from './application-keys.ts';
import { readSource, type SourceParts, type SourcePlace } from './source.ts';
import { readSyncPolicy } from './sync-policy.ts';

/**
 * The template of an ApplicationSet for one of its generators: a generator of ours for each source. None, with a
 * finding, where what it renders cannot go where it should.
 */
export function readApplication(
  template: MapReader,
  combination: Combination,
  { context, setName }: { readonly context: ArgoContext; readonly setName: string },
): GeneratorDraft[] {
  const translate = translatorFor(context, combination.sources);
  const named = readName(template, { setName, translate });
  const spec = template.map('spec');
  template.end();
  if (spec === undefined) {
    context.notes.fault([...template.path, 'spec'], 'is required');
    return [];
  }
  const placement = readPlacement(spec, combination, context);
  const shared = {
    parameters: combination.parameters,
    each: eachOf(combination),
    dependsOn: [],
    sync: readSyncPolicy(spec),
  };
  const releaseName = named.text === '' ? named.name : named.text;
  const refs = refsOf(spec);
  const sources = readSources(spec, { translate, context, releaseName, refs });
  tellName(named, context.notes);
  tellOtherKeys(spec);
  spec.end();
  if (placement === undefined) return [];
  return sources.map(({ suffix, parts: { sourcePath, render, patches } }) => {
    const name = suffix === '' ? named.name : `${named.name}-${suffix}`;
    return {
      name,
      namePath: named.path,
      notes: context.notes,
      spec: {
        ...placement,
        ...shared,
        sourcePath,
        ...renderOf(render, releaseName === name ? undefined : releaseName),
        overrides: [...combination.overrides, ...patchOverride(patches)],
      },
    };
  });
}

/** Whether a source is a chart may show in its files alone; then its release keeps the Application's name. */
function renderOf(render: JsonObject | undefined, releaseName: string | undefined): { render?: JsonObject } {
  if (render !== undefined) return { render };
  return releaseName === undefined ? {} : { render: { helm: { releaseName } } };
}

/** Which clusters it goes to and into which namespace; undefined where that cannot be said. */
function readPlacement(
  spec: MapReader,
  combination: Combination,
  context: ArgoContext,
): Pick<GeneratorSpec, 'clusterSelector' | 'conditions' | 'namespace'> | undefined {
  const reader = spec.map('destination');
  const destination = readDestination(reader, combination, context);
  const namespace = reader?.text('namespace') ?? '';
  const path = [...spec.path, 'destination', 'namespace'];
  const template = translatorFor(context, combination.sources)(namespace, path);
  reader?.end();
  if (destination.kind === 'elsewhere') return undefined;
  const condition = destination.kind === 'condition' ? [destination.condition] : [];
  return {
    clusterSelector: combination.clusterSelector ?? {},
    conditions: [...combination.conditions, ...condition],
    ...(namespace !== '' && { namespace: liquidText(template) }),
  };
}

function eachOf({ list, directories, files }: Combination): JsonObject {
  return { ...(list && { list: [...list] }), ...(directories && { directories }), ...(files && { files }) };
}

function patchOverride(patches: readonly JsonObject[]): JsonObject[] {
  return patches.length === 0 ? [] : [{ clusterSelector: {}, patches: [...patches] }];
}

interface Named {
  /** What of an Application's name is the same for all: a generator makes no Application, and has one name. */
  readonly name: string;
  /** The whole name, as Liquid. */
  readonly text: string;
  readonly path: Path;
}

function readName(
  template: MapReader,
  { setName, translate }: { readonly setName: string; readonly translate: Translate },
): Named {
  const metadata = template.map('metadata');
  const path = [...template.path, 'metadata', 'name'];
  const parts = translate(metadata?.text('name') ?? '', path);
  if (metadata !== undefined) tellApplicationMetadata(metadata);
  const fixed = plainName(parts.map((part) => (part.kind === 'text' ? part.text : ' ')).join(''));
  return { name: fixed === '' ? plainName(setName) : fixed, text: liquidText(parts), path };
}

function tellName({ name, text, path }: Named, notes: Notes): void {
  if (text === name || text === '') return;
  notes.add('changed', path, {
    message: `one generator named ${name} stands for all Applications named ${text}`,
  });
}

/** Sources that are named for their files: `ref: values` and `$values/…`. */
function refsOf(spec: MapReader): ReadonlySet<string> {
  return new Set(spec.maps('sources').flatMap((source) => source.text('ref') ?? []));
}

interface NamedSource {
  readonly suffix: string;
  readonly parts: SourceParts;
}

function readSources(spec: MapReader, place: SourcePlace): NamedSource[] {
  const source = spec.map('source');
  const many = spec.maps('sources');
  const dry = spec.map('sourceHydrator')?.map('drySource');
  spec.note('changed', 'sourceHydrator', {
    message: 'nothing is written to another branch; the dry source is rendered at each revision',
    remedy: 'For rendered manifests in Git run `fleetwright render --output-dir`.',
  });
  if (many.length === 0) {
    const only = source ?? dry;
    if (only !== undefined) return [{ suffix: '', parts: readSource(only, place) }];
    spec.notes.fault([...spec.path, 'source'], 'is required');
    return [];
  }
  const rendered = many.filter((each) => !isForFilesAlone(each, place));
  return rendered.map((each) => ({
    suffix: rendered.length === 1 ? '' : suffixOf(each),
    parts: readSource(each, place),
  }));
}

function isForFilesAlone(source: MapReader, { context }: SourcePlace): boolean {
  if (!source.has('ref') || source.has('path') || source.has('chart')) return false;
  // Its files are read from the fleet repository, like any other.
  checkRepository(source.text('repoURL'), [...source.path, 'repoURL'], context);
  checkRevision(source.text('targetRevision'), [...source.path, 'targetRevision'], context.notes);
  source.any('name');
  source.end();
  return true;
}

function suffixOf(source: MapReader): string {
  const text = source.text('name') ?? source.text('chart') ?? source.text('path') ?? '';
  const constant = text.replace(/\{\{.*?\}\}/g, '').replace(/\/+$/, '');
  return plainName(constant.split('/').at(-1) ?? '') || 'source';
}
