import { existsSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';

import { type Finding, findingOf } from '../../model/finding.ts';
import { FleetError } from '../../model/fleet-error.ts';
import { compareText } from '../../model/object-ref.ts';
import { clusterDirectoryOf } from '../../model/origin.ts';
import type { RegisteredCluster } from '../../render/cluster-facts.ts';
import { listManifests } from '../../render/manifests/manifest-tree.ts';
import { type FleetRepository, nameOfGenerator } from '../../render/repository/fleet-repository.ts';
import { minorVersionOf } from '../../render/validate/schema/kubernetes-schemas.ts';
import { loadKubernetesSchemas } from '../../render/validate/schema/load-kubernetes-schemas.ts';
import { validateRepository, type ValidateOptions } from '../../render/validate/validate-repository.ts';
import type { ValidationResult } from '../../report/validation/validation-result.ts';
import type { ActionContext, ValidateRequest } from '../actions.ts';
import { fleetRoot } from './open-source.ts';
import { inScope, withRepository } from './read-repository.ts';

/** Everything that is wrong or strange in the repository. Speaks to no cluster. */
export async function validateFiles(
  request: ValidateRequest,
  context: ActionContext,
): Promise<ValidationResult> {
  const { labelSets, settings, scope } = request;
  const kubernetes = await loadKubernetesSchemas(context.signal);
  return await withRepository(request, context, async (read) => {
    const { repository, options, registryFaults } = read;
    const known = labelSets.size > 0 ? 'labels' : settings === undefined ? 'folders' : 'registered';
    const clusters =
      known === 'labels' ? [...labelSets].map(madeUpCluster) : inScope(read.clusters, scope.clusters);
    const registry = known === 'registered' ? registryFaults : [];
    const validateOptions: ValidateOptions = {
      ...options,
      kubernetes,
      known,
      // Of a registry that could not be read whole, some clusters are not known.
      areAll: scope.clusters.length === 0 && registry.length === 0,
      onCluster: (done) => {
        context.onProgress({ kind: 'rendering', done, total: clusters.length });
      },
    };
    const found = await validateRepository(repository, clusters, validateOptions);
    return {
      revision: repository.snapshot.revision,
      kubernetes: minorVersionOf(kubernetes),
      root: rootInRepository(request),
      files: listManifests(repository.snapshot.tree, '').files.map(({ path }) => path),
      clusters: clusters.map(({ name }) => name),
      findings: [
        ...registry.map(findingOf),
        ...emptiness(repository),
        ...inGenerators(found, request, repository),
      ],
      notes: notesOn(known, clusters),
    };
  });
}

function madeUpCluster([name, labels]: readonly [string, RegisteredCluster['labels']]): RegisteredCluster {
  return { name, labels, annotations: {} };
}

/** A folder that is no fleet's has no faults either, and would pass in CI for ever. */
function emptiness({ generators, directories, faults }: FleetRepository): Finding[] {
  if (generators.length > 0 || directories.size > 0 || faults.length > 0) return [];
  const message =
    'there is neither generators/ nor clusters/ with anything in it here; is this the folder of a fleet?';
  return [{ severity: 'error', code: 'ConfigInvalid', message }];
}

/** @throws FleetError ConfigInvalid for a generator that does not exist. */
function inGenerators(
  findings: readonly Finding[],
  { scope: { generators } }: ValidateRequest,
  repository: FleetRepository,
): readonly Finding[] {
  if (generators.length === 0) return findings;
  const known = [
    ...repository.generators.map(nameOfGenerator),
    ...[...repository.directories.keys()].map(clusterDirectoryOf),
  ];
  const unknown = generators.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const message = `no generator is named ${unknown}; there are: ${known.sort(compareText).join(', ') || 'none'}`;
    throw new FleetError('ConfigInvalid', message);
  }
  return findings.filter(({ generator }) => generator !== undefined && generators.includes(generator));
}

function notesOn(known: ValidateOptions['known'], clusters: readonly RegisteredCluster[]): string[] {
  if (known === 'folders') {
    return [
      'without settings the clusters are those that have a folder, with the labels in cluster.yaml; name the settings with --config, or sets of labels with --labels, to check for all',
    ];
  }
  return clusters.length === 0 ? ['no cluster is registered, so nothing was rendered'] : [];
}

/** The fleet's folder in its repository, which for a folder on this machine is the nearest that has a .git. */
function rootInRepository({ revision, settings }: ValidateRequest): string {
  if (revision.kind !== 'workingCopy') return settings?.source.path ?? '';
  const root = fleetRoot(revision.dir, settings);
  for (let dir = root; ; dir = dirname(dir)) {
    if (existsSync(`${dir}${sep}.git`)) return relative(dir, root).split(sep).join('/');
    if (dir === dirname(dir)) return '';
  }
}
