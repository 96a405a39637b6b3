import type { JsonObject } from '../../model/json.ts';
import type { MapReader } from '../map-reader.ts';
import { readPatches } from '../patches.ts';

/** Keys of Kustomize that only a kustomization.yaml can say. */
const inFile = [
  'namePrefix',
  'nameSuffix',
  'images',
  'commonLabels',
  'commonAnnotations',
  'replicas',
  'components',
  'labelWithoutSelector',
  'labelIncludeTemplates',
  'forceCommonLabels',
  'forceCommonAnnotations',
  'commonAnnotationsEnvsubst',
  'ignoreMissingComponents',
] as const;

export interface KustomizeParts {
  readonly render: JsonObject;
  readonly patches: readonly JsonObject[];
}

/** A Kustomize source: patches become patches, the rest has to stand in a kustomization.yaml. */
export function readKustomize(kustomize: MapReader): KustomizeParts {
  for (const key of inFile) {
    kustomize.note('unsupported', key, {
      message: `${key} has no equal in a generator`,
      remedy: `Write ${key} into a kustomization.yaml, in a folder of its own whose resources name this source, and point source.path to that.`,
    });
  }
  kustomize.note('unsupported', 'namespace', {
    message: 'a namespace for all objects, whatever they say, has no equal in a generator',
    remedy: 'Write namespace into the kustomization.yaml; spec.namespace is for objects that name none.',
  });
  for (const key of ['kubeVersion', 'apiVersions']) {
    kustomize.note('unsupported', key, { message: 'Kustomize is told nothing of the cluster here' });
  }
  kustomize.note('dropped', 'version', { message: 'the Kustomize that is installed is used' });
  const patches = readPatches(kustomize, 'patches');
  kustomize.end();
  return { render: { type: 'kustomize' }, patches };
}
