import type { JsonObject, JsonValue } from '../../model/json.ts';
import type { MapReader } from '../map-reader.ts';
import type { Path } from '../notes.ts';
import { liquidText } from '../template/template.ts';
import type { Translate } from '../template/translator.ts';
import { readHelmValues } from './helm-values.ts';

export interface HelmPlace {
  readonly translate: Translate;
  /** The chart's folder. */
  readonly sourcePath: string;
  /** What Argo CD names the release where nothing else is said: the Application. */
  readonly releaseName: string;
  /** Sources that are there for their files alone, by the name under which value files refer to them. */
  readonly refs: ReadonlySet<string>;
}

/** `render` for a Helm source. */
export function readHelm(helm: MapReader, place: HelmPlace): JsonObject {
  const { translate } = place;
  const text = (key: string): string | undefined => {
    const value = helm.text(key);
    return value === undefined ? undefined : liquidText(translate(value, [...helm.path, key]));
  };
  const releaseName = text('releaseName') ?? place.releaseName;
  const valuesFiles = readValueFiles(helm, place);
  const values = readHelmValues(helm, translate);
  const skipCrds = helm.flag('skipCrds') ?? false;
  const kubeVersion = text('kubeVersion');
  const isFixed = kubeVersion !== undefined && !kubeVersion.includes('{{');
  if (!isFixed)
    helm.note('unsupported', 'kubeVersion', {
      message: 'it cannot be a template; where it is not set it is the cluster’s own',
    });
  const apiVersions = helm.texts('apiVersions');
  tellOthers(helm);
  helm.end();
  helm.notes.add('changed', helm.path, {
    message: 'hooks of the chart are not run',
    remedy: 'If it needs them set render.helm.hooks: apply, which makes plain objects of them.',
  });
  return {
    type: 'helm',
    helm: {
      releaseName,
      ...(valuesFiles.length > 0 && { valuesFiles }),
      ...(Object.keys(values).length > 0 && { values }),
      ...(skipCrds && { includeCRDs: false }),
      ...(isFixed && { kubeVersion }),
      ...(apiVersions.length > 0 && { apiVersions }),
    },
  };
}

function tellOthers(helm: MapReader): void {
  helm.note('unsupported', 'fileParameters', {
    message: 'a value that is the text of a file has no equal',
    remedy: 'Write the text into a values file.',
  });
  helm.note('unsupported', 'namespace', {
    message: 'the release has the namespace of the generator',
    remedy: 'Write it as spec.namespace.',
  });
  helm.note('unsupported', 'skipSchemaValidation', {
    message: 'values are held against the chart’s schema',
    remedy: 'Mend the values, or the schema in the chart.',
  });
  helm.note('dropped', 'skipTests', { message: 'tests are never rendered' });
  helm.note('dropped', 'version', { message: 'the Helm that is installed is used' });
  helm.note('dropped', 'passCredentials', { message: 'charts come from the fleet repository' });
}

function readValueFiles(helm: MapReader, place: HelmPlace): JsonValue[] {
  const isOptional = helm.flag('ignoreMissingValueFiles') ?? false;
  return helm.texts('valueFiles').flatMap((file, index): JsonValue[] => {
    const path = [...helm.path, 'valueFiles', index];
    const translated = valueFile(file, path, { helm, place });
    if (translated === undefined) return [];
    return [isOptional ? { path: translated, optional: true } : translated];
  });
}

function valueFile(
  file: string,
  path: Path,
  { helm, place }: { readonly helm: MapReader; readonly place: HelmPlace },
): string | undefined {
  if (/^[a-z]+:\/\//.test(file)) {
    helm.notes.add('unsupported', path, {
      message: 'values are not fetched from elsewhere',
      remedy: 'Commit the file to the fleet repository.',
    });
    return undefined;
  }
  const [, ref, rest = file] = /^\$([\w-]+)\/(.*)$/.exec(file) ?? [];
  if (ref !== undefined && !place.refs.has(ref)) {
    helm.notes.fault(path, `no source has ref: ${ref}`);
    return undefined;
  }
  const text = liquidText(place.translate(rest, path));
  if (ref !== undefined) return `/${text}`;
  return text.startsWith('..') ? fromRoot(`${place.sourcePath}/${text}`) : text.replace(/^\.\//, '');
}

/** A path that climbs out of the chart, as one from the fleet's root. An output with a slash in it is one step. */
function fromRoot(path: string): string {
  const steps: string[] = [];
  for (const step of path.match(/(?:\{\{.*?\}\}|[^/])+/g) ?? []) {
    if (step === '..') steps.pop();
    else if (step !== '.') steps.push(step);
  }
  return `/${steps.join('/')}`;
}
