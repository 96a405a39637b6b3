import { isJsonObject, type JsonObject } from '../../model/json.ts';
import type { GeneratorDraft } from '../generator-draft.ts';
import type { ImportOptions } from '../import-options.ts';
import { MapReader } from '../map-reader.ts';
import type { Notes } from '../notes.ts';
import { readApplication } from './application.ts';
import { type ArgoContext, mergeMaps } from './combination.ts';
import { readGenerator } from './read-generator.ts';

/** A document of kind ApplicationSet as generators of ours: at most one for each generator and source. */
export function translateApplicationSet(
  document: JsonObject,
  notes: Notes,
  options: ImportOptions,
): GeneratorDraft[] {
  const root = new MapReader(document, [], notes);
  for (const key of ['apiVersion', 'kind', 'status']) root.any(key);
  const setName = root.map('metadata')?.text('name');
  const spec = root.map('spec');
  root.end();
  if (setName === undefined) notes.fault(['metadata', 'name'], 'is required');
  if (spec === undefined) notes.fault(['spec'], 'is required');
  if (setName === undefined || spec === undefined) return [];
  const context: ArgoContext = { notes, options, goTemplate: spec.flag('goTemplate') ?? false };
  const preserves = readSetKeys(spec, context);
  const template = spec.map('template');
  const generators = spec.maps('generators');
  spec.end();
  if (generators.length === 0) notes.fault([...spec.path, 'generators'], 'must hold at least one generator');
  if (template === undefined) notes.fault([...spec.path, 'template'], 'is required');
  if (template === undefined) return [];
  const drafts = generators.flatMap((reader) => {
    const combination = readGenerator(reader, context);
    if (combination === undefined) return [];
    return readApplication(templateOf(reader, template), combination, { context, setName });
  });
  if (notes.isBroken) return [];
  return preserves ? drafts.map(orphaning) : drafts;
}

function orphaning(draft: GeneratorDraft): GeneratorDraft {
  return { ...draft, spec: { ...draft.spec, sync: { ...draft.spec.sync, deletion: 'orphan' } } };
}

/** The template with what the generator itself says laid over it. */
function templateOf(generator: MapReader, template: MapReader): MapReader {
  const own = Object.values(generator.value)
    .filter(isJsonObject)
    .map((kind) => kind['template'])
    .find(isJsonObject);
  return new MapReader(
    own === undefined ? template.value : mergeMaps(template.value, own),
    template.path,
    template.notes,
  );
}

/** Tells what else the set says. True: what it brought stays when the set goes. */
function readSetKeys(spec: MapReader, { notes, goTemplate }: ArgoContext): boolean {
  spec.note('unsupported', 'templatePatch', {
    message: 'a patch of the template has no equal',
    remedy: 'Write what it changes as parameters, overrides or render.helm.values.',
  });
  tellStrategy(spec);
  const policy = spec.map('syncPolicy');
  const preserves = policy?.flag('preserveResourcesOnDeletion') === true;
  if (preserves) {
    policy.note('changed', 'preserveResourcesOnDeletion', {
      message: 'sync.deletion: orphan keeps whatever Git drops, a single object of the generator, too',
      remedy: 'Annotate objects that shall go when Git drops them with fleetwright.dev/deletion: delete.',
    });
  }
  const applications = policy?.text('applicationsSync');
  if (applications !== undefined && applications !== 'sync') {
    policy?.note('unsupported', 'applicationsSync', {
      message: `${applications} has no equal: a cluster that no longer matches loses its objects after labelGrace`,
      remedy: 'Set sync.prune: false where nothing may be removed.',
    });
  }
  policy?.end();
  const options = spec.texts('goTemplateOptions');
  if (goTemplate && !options.includes('missingkey=error')) {
    notes.add('changed', [...spec.path, 'goTemplate'], {
      message: 'a parameter that is missing is an error, where it was <no value>',
      remedy: 'Set it everywhere, or give it a value with the filter default.',
    });
  }
  for (const key of ['preservedFields', 'ignoreApplicationDifferences']) {
    spec.note('dropped', key, { message: 'there are no Applications here that could differ' });
  }
  spec.any('applyNestedSelectors');
  return preserves;
}

function tellStrategy(spec: MapReader): void {
  const strategy = spec.map('strategy');
  if (strategy === undefined) return;
  strategy.any('deletionOrder');
  const type = strategy.text('type');
  const hasSteps = strategy.has('rollingSync');
  strategy.end();
  if (type !== 'RollingSync' && !hasSteps) return;
  spec.note('unsupported', 'strategy', {
    message: 'a rollout in steps has no equal: all clusters follow a commit at once',
    remedy:
      'Give each group of clusters a generator of its own, and promote a change from one folder to the next.',
  });
}
