import { z } from 'zod';

import { FleetError } from '../model/fleet-error.ts';
import { defined } from '../model/defined.ts';
import {
  type Cluster,
  type ClusterSource,
  defaultPruneLimit,
  type FleetSettings,
} from '../model/settings.ts';
import { parseClusterDocument } from './cluster-document.ts';
import { durationSchema } from './schema/duration-schema.ts';
import { configFault, parseDocument, type Parsed } from './parse-document.ts';
import { parseManifests, type YamlDocument } from './yaml/parse-manifests.ts';
import { type PathContext, resolvePath } from './schema/resolve-path.ts';
import {
  annotationsSchema,
  apiVersion,
  clusterNameSchema,
  labelsSchema,
  nonEmpty,
  strict,
} from './schema/schema.ts';
import { sourceSchema } from './schema/source-schema.ts';
import { didYouMean } from './schema/suggestion.ts';
import { driftSchema, pruneLimitSchema } from './schema/sync-schema.ts';

const defaultLabelGraceMs = 5 * 60_000;

/**
 * The engine's settings: a file with one document of kind Fleet and any number of kind Cluster.
 * `file` is only what messages name it by; relative paths in it start at `baseDir`.
 */
export function parseFleetSettings(text: string, context: PathContext): Parsed<FleetSettings> {
  const parsed = parseManifests(text, { ...context, code: 'ConfigInvalid' });
  const faults: FleetError[] = [...parsed.faults];
  const fleets: { readonly document: YamlDocument; readonly fleet: FleetPart | undefined }[] = [];
  const clusters: { readonly document: YamlDocument; readonly cluster: Cluster }[] = [];
  for (const document of parsed.documents) {
    const kind = document.value['kind'];
    if (kind === 'Fleet') {
      const fleet = parseDocument(fleetSchema(context), document, context);
      if (!fleet.ok) faults.push(...fleet.faults);
      fleets.push({ document, fleet: fleet.ok ? fleet.value : undefined });
    } else if (kind === 'Cluster') {
      const cluster = parseClusterDocument(document, context);
      if (cluster.ok) clusters.push({ document, cluster: cluster.value });
      else faults.push(...cluster.faults);
    } else {
      faults.push(configFault(unknownKind(kind), document, { ...context, path: ['kind'] }));
    }
  }
  faults.push(
    ...faultsOfCount(fleets, parsed.faults.length > 0, context),
    ...duplicateNames(clusters, context),
  );
  const fleet = fleets[0]?.fleet;
  if (faults.length > 0 || fleet === undefined) return { ok: false, faults };
  const inlineClusters = clusters.map(({ cluster }) => cluster);
  return { ok: true, value: { ...fleet, inlineClusters }, warnings: warningsOf(fleet, inlineClusters) };
}

type FleetPart = Omit<FleetSettings, 'inlineClusters'>;

function warningsOf(fleet: FleetPart, inlineClusters: readonly Cluster[]): string[] {
  return fleet.clusters.length + inlineClusters.length === 0 ? ['The settings name no clusters.'] : [];
}

function unknownKind(kind: unknown): string {
  if (typeof kind !== 'string') return 'must be Fleet or Cluster';
  return `${JSON.stringify(kind)} is neither Fleet nor Cluster${didYouMean(kind, ['Fleet', 'Cluster'])}`;
}

function faultsOfCount(
  fleets: readonly { readonly document: YamlDocument }[],
  unreadable: boolean,
  context: PathContext,
): FleetError[] {
  if (fleets.length === 0 && !unreadable) {
    const origin = { generator: '', file: context.file, document: 1, line: 1 };
    return [new FleetError('ConfigInvalid', 'the file has no document of kind Fleet', { origin })];
  }
  return fleets.slice(1).map(({ document }) =>
    configFault('a second document of kind Fleet; a file holds one', document, {
      ...context,
      path: ['kind'],
    }),
  );
}

function duplicateNames(
  clusters: readonly { readonly document: YamlDocument; readonly cluster: Cluster }[],
  context: PathContext,
): FleetError[] {
  const seen = new Set<string>();
  return clusters.flatMap(({ document, cluster }) => {
    if (!seen.has(cluster.name)) {
      seen.add(cluster.name);
      return [];
    }
    const message = `a second cluster named ${JSON.stringify(cluster.name)}`;
    return [configFault(message, document, { ...context, path: ['metadata', 'name'] })];
  });
}

const listenSchema = z.string().transform((text, context) => {
  const match = /^(?<host>\[[0-9a-fA-F:.]+\]|[^:[\]]*):(?<port>[0-9]{1,5})$/.exec(text);
  const port = Number(match?.groups?.['port'] ?? NaN);
  if (!(port <= 65_535)) {
    context.addIssue({
      code: 'custom',
      message: `${JSON.stringify(text)} is no address such as 127.0.0.1:8080`,
    });
    return z.NEVER;
  }
  const host = (match?.groups?.['host'] ?? '').replace(/^\[|\]$/g, '');
  return { host: host === '' ? '0.0.0.0' : host, port };
});

function clusterSourceSchema(context: PathContext) {
  const unsupported = z
    .unknown()
    .optional()
    .superRefine((value, refinement) => {
      if (value !== undefined)
        refinement.addIssue({ code: 'custom', message: 'clusters from a hub are not supported yet' });
    });
  return strict({
    kubeconfig: strict({ path: nonEmpty, contexts: z.array(nonEmpty).optional() }).optional(),
    directory: strict({ path: nonEmpty }).optional(),
    hub: unsupported,
  }).transform(({ kubeconfig, directory, hub }, refinement): ClusterSource => {
    if (kubeconfig !== undefined && directory === undefined) {
      const path = resolvePath(kubeconfig.path, context);
      return {
        kind: 'kubeconfig',
        path,
        ...(kubeconfig.contexts === undefined ? {} : { contexts: kubeconfig.contexts }),
      };
    }
    if (directory !== undefined && kubeconfig === undefined)
      return { kind: 'directory', path: resolvePath(directory.path, context) };
    if (hub === undefined)
      refinement.addIssue({ code: 'custom', message: 'must have either kubeconfig or directory' });
    return z.NEVER;
  });
}

function toolsSchema(context: PathContext) {
  const path = nonEmpty.transform((text) => resolvePath(text, context)).optional();
  return strict({ kustomize: path, kubectl: path, helm: path }).prefault({}).transform(defined);
}

const syncSchema = strict({
  drift: driftSchema.default('correct'),
  prune: z.boolean().default(true),
  pruneLimit: pruneLimitSchema.default(defaultPruneLimit),
  labelGrace: durationSchema(0).default(defaultLabelGraceMs),
  windows: z.array(z.unknown()).max(0, 'sync windows are not supported yet').optional(),
});

function fleetSchema(context: PathContext) {
  return strict({
    apiVersion: z.literal(apiVersion, { error: `must be ${apiVersion}` }),
    kind: z.literal('Fleet'),
    metadata: strict({
      name: clusterNameSchema,
      labels: labelsSchema.optional(),
      annotations: annotationsSchema.optional(),
    }),
    spec: strict({
      source: sourceSchema(context),
      clusters: z.array(clusterSourceSchema(context)).default([]),
      sync: syncSchema.prefault({}),
      server: strict({ listen: listenSchema.prefault('127.0.0.1:8080') }).prefault({}),
      stateDir: nonEmpty.default('./.fleetwright'),
      tools: toolsSchema(context),
    }),
  }).transform(({ metadata, spec }): FleetPart => {
    const { labelGrace, windows: _unused, ...sync } = spec.sync;
    return {
      name: metadata.name,
      source: spec.source,
      clusters: spec.clusters,
      sync,
      labelGraceMs: labelGrace,
      server: spec.server.listen,
      stateDir: resolvePath(spec.stateDir, context),
      tools: spec.tools,
    };
  });
}
