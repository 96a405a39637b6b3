import type { JsonObject } from '../../model/json.ts';
import { plainName } from '../generator-draft.ts';
import type { ImportOptions } from '../import-options.ts';
import { MapReader } from '../map-reader.ts';
import type { Notes } from '../notes.ts';
import { tellFileKeys, tellNeedless } from './kustomization-keys.ts';
import { readKustomizationPatches } from './kustomization-patches.ts';

/** A Kustomization of Flux, before those of several clusters are brought together. */
export interface FluxDraft {
  readonly name: string;
  /** The one cluster it is for; undefined where nothing says it. */
  readonly cluster: string | undefined;
  readonly sourcePath: string;
  readonly namespace?: string;
  readonly parameters: JsonObject;
  readonly overrides: readonly JsonObject[];
  /** By the names of Kustomizations. */
  readonly dependsOn: readonly string[];
  readonly sync: JsonObject;
  /** Nothing is to be done for the time being. */
  readonly isSuspended: boolean;
  readonly notes: Notes;
}

/** A document of kind Kustomization of Flux. Undefined where it cannot be read. */
export function readKustomization(
  document: JsonObject,
  notes: Notes,
  options: ImportOptions,
): FluxDraft | undefined {
  const root = new MapReader(document, [], notes);
  for (const key of ['apiVersion', 'kind', 'status']) root.any(key);
  const name = root.map('metadata')?.text('name');
  const spec = root.map('spec');
  root.end();
  if (name === undefined) notes.fault(['metadata', 'name'], 'is required');
  if (spec === undefined) notes.fault(['spec'], 'is required');
  if (name === undefined || spec === undefined) return undefined;
  checkSource(spec);
  const targetNamespace = spec.text('targetNamespace');
  spec.note('changed', 'targetNamespace', {
    message: 'it is the namespace of objects that name none; those that name another keep it',
    remedy: 'For all objects write namespace into the kustomization.yaml of the source.',
  });
  const draft: FluxDraft = {
    name: plainName(name),
    cluster: clusterOf(spec, options),
    sourcePath: plainPath(spec.text('path') ?? ''),
    ...(targetNamespace !== undefined && { namespace: targetNamespace }),
    parameters: readSubstitutions(spec),
    overrides: readOverrides(spec),
    dependsOn: readDependencies(spec),
    sync: readSync(spec),
    isSuspended: readSuspend(spec),
    notes,
  };
  tellFileKeys(spec);
  tellNeedless(spec);
  spec.end();
  return notes.isBroken ? undefined : draft;
}

function plainPath(path: string): string {
  const plain = path.replace(/^(\.?\/)+/, '').replace(/\/+$/, '');
  return plain === '' || plain === '.' ? '.' : plain;
}

/** Flux bootstraps the repository under this name; a source of another is another repository. */
const bootstrapSource = 'flux-system';

function checkSource(spec: MapReader): void {
  const source = spec.map('sourceRef');
  if (source === undefined) return;
  const kind = source.text('kind') ?? '';
  const name = source.text('name') ?? '';
  for (const key of ['apiVersion', 'namespace']) source.any(key);
  source.end();
  if (kind === 'GitRepository' && name === bootstrapSource) return;
  const isGit = kind === 'GitRepository';
  spec.note(isGit ? 'changed' : 'unsupported', 'sourceRef', {
    message: `sources are read from the fleet repository, not from ${kind} ${name}`,
    remedy: isGit
      ? 'If that is another repository copy its files, at the same path.'
      : 'Copy its files into the fleet repository; source.path is counted from the root of that.',
  });
}

/** Where a cluster is reached by a Secret, the Secret is named after it; in a fleet's layout the folder is. */
function clusterOf(spec: MapReader, options: ImportOptions): string | undefined {
  const kubeConfig = spec.map('kubeConfig');
  const secret = kubeConfig?.map('secretRef')?.text('name') ?? kubeConfig?.map('configMapRef')?.text('name');
  if (secret !== undefined) {
    const name = secret.replace(/-kubeconfig$/, '');
    spec.note('changed', 'kubeConfig', {
      message: `it is for the cluster ${name}, as its Secret is named ${secret}`,
      remedy: 'Register the cluster under that name.',
    });
    return name;
  }
  const folder = /(?:^|\/)clusters\/([^/]+)\//.exec(spec.notes.file)?.[1];
  return options.cluster ?? folder;
}

function readOverrides(spec: MapReader): JsonObject[] {
  const patches = readKustomizationPatches(spec);
  const metadata = spec.map('commonMetadata');
  const labels = metadata?.textMap('labels') ?? {};
  const annotations = metadata?.textMap('annotations') ?? {};
  metadata?.end();
  const common = {
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
  const everywhere =
    Object.keys(common).length === 0 ? [] : [{ target: { name: '*' }, merge: { metadata: common } }];
  const all = [...patches, ...everywhere];
  return all.length === 0 ? [] : [{ clusterSelector: {}, patches: all }];
}

function readDependencies(spec: MapReader): string[] {
  return spec.maps('dependsOn').flatMap((dependency) => {
    dependency.any('namespace');
    dependency.note('unsupported', 'readyExpr', {
      message: 'when a dependency counts as ready is not said by an expression',
      remedy: 'Its generator counts once all its objects are healthy.',
    });
    const name = dependency.text('name');
    dependency.end();
    return name === undefined ? [] : [plainName(name)];
  });
}

function readSync(spec: MapReader): JsonObject {
  const prune = spec.flag('prune') ?? false;
  const policy = spec.text('deletionPolicy') ?? 'MirrorPrune';
  if (policy === 'Orphan') {
    spec.note('changed', 'deletionPolicy', {
      message: 'sync.deletion: orphan keeps whatever Git drops, a single object of the generator, too',
      remedy: 'Annotate objects that shall go when Git drops them with fleetwright.dev/deletion: delete.',
    });
    return { drift: 'correct', prune, deletion: 'orphan' };
  }
  if (policy === 'MirrorPrune' && !prune) {
    spec.note('changed', 'prune', {
      message: 'removing a generator deletes its objects',
      remedy: 'Set sync.deletion: orphan on a generator whose objects must stay.',
    });
  }
  return { drift: 'correct', prune };
}

function readSuspend(spec: MapReader): boolean {
  const isSuspended = spec.flag('suspend') ?? false;
  if (isSuspended) {
    spec.note('changed', 'suspend', {
      message: 'it is said by a condition that never holds, so that nothing is applied',
      remedy:
        'Take `when` away to start. On objects that are already applied it would be a removal: never add it to these.',
    });
  }
  return isSuspended;
}

/** `postBuild`: the values are parameters, and the manifests must be changed to use them. */
function readSubstitutions(spec: MapReader): JsonObject {
  const postBuild = spec.map('postBuild');
  if (postBuild === undefined) return {};
  const parameters = postBuild.textMap('substitute');
  const names = Object.keys(parameters);
  if (names.length > 0) {
    postBuild.note('unsupported', 'substitute', {
      message: 'variables in manifests are not replaced after they were rendered',
      remedy: `In the manifests write ${names.map((name) => `{{ params.${name} }} for \${${name}}`).join(', ')}, and set render.type: template.`,
    });
  }
  postBuild.note('unsupported', 'substituteFrom', {
    message: 'nothing is read from ConfigMaps and Secrets of a cluster',
    remedy: 'Write the values as parameters, or as labels and annotations of the cluster.',
  });
  postBuild.any('substituteStrategy');
  postBuild.end();
  return parameters;
}
