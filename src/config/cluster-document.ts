import { z } from 'zod';

import { clusterDirectoryOf } from '../model/origin.ts';
import type { GeneratorSyncPolicy } from '../model/desired.ts';
import type { Cluster } from '../model/settings.ts';
import { resolvePath, type PathContext } from './schema/resolve-path.ts';
import { type DocumentContext, parseDocument, type Parsed } from './parse-document.ts';
import type { YamlDocument } from './yaml/parse-manifests.ts';
import {
  annotationsSchema,
  apiVersion,
  clusterNameSchema,
  labelsSchema,
  nonEmpty,
  strict,
} from './schema/schema.ts';
import { generatorSyncSchema } from './schema/sync-schema.ts';

const metadataSchema = strict({
  name: clusterNameSchema,
  labels: labelsSchema.optional(),
  annotations: annotationsSchema.optional(),
});

const kubeconfigSchema = strict({ path: nonEmpty, context: nonEmpty.optional() });

const registeredSchema = strict({
  apiVersion: z.literal(apiVersion, { error: `must be ${apiVersion}` }),
  kind: z.literal('Cluster', { error: 'must be Cluster' }),
  metadata: metadataSchema,
  spec: strict({ kubeconfig: kubeconfigSchema, audit: strict({ path: nonEmpty }).optional() }),
});

/** A registered cluster: kind Cluster from a registry file or the settings. Paths are made absolute. */
export function parseClusterDocument(document: YamlDocument, context: PathContext): Parsed<Cluster> {
  const parsed = parseDocument(registeredSchema, document, context);
  if (!parsed.ok) return parsed;
  const { metadata, spec } = parsed.value;
  const contextName = spec.kubeconfig.context;
  return {
    ok: true,
    warnings: [],
    value: {
      name: metadata.name,
      labels: metadata.labels ?? {},
      annotations: metadata.annotations ?? {},
      connection: {
        kind: 'kubeconfig',
        path: resolvePath(spec.kubeconfig.path, context),
        ...(contextName === undefined ? {} : { context: contextName }),
      },
      ...(spec.audit === undefined ? {} : { audit: { path: resolvePath(spec.audit.path, context) } }),
    },
  };
}

/** What a cluster's cluster.yaml in Git says: labels and policy, never how to reach the cluster. */
export interface GitCluster {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Policy for the objects of the cluster's own directory. */
  readonly sync: GeneratorSyncPolicy;
}

/** A key that is refused in Git, with the reason, rather than as unknown. */
function registryOnly(what: string) {
  return z
    .unknown()
    .optional()
    .superRefine((value, context) => {
      if (value === undefined) return;
      const message = `${what} stays in the registry; it is never read from Git`;
      context.addIssue({ code: 'custom', message });
    });
}

const credential = registryOnly('how to reach a cluster');

const gitSchema = strict({
  apiVersion: z.literal(apiVersion, { error: `must be ${apiVersion}` }),
  kind: z.literal('Cluster', { error: 'must be Cluster' }),
  metadata: metadataSchema,
  spec: strict({
    sync: generatorSyncSchema.optional(),
    kubeconfig: credential,
    secret: credential,
    connection: credential,
    credentials: credential,
    audit: registryOnly('where the audit log of a cluster is'),
  }).optional(),
});

/** clusters/<name>/cluster.yaml; its name must be that of its folder. */
export function parseGitCluster(
  document: YamlDocument,
  context: DocumentContext & { readonly cluster: string },
): Parsed<GitCluster> {
  const schema = gitSchema.superRefine(({ metadata }, refinement) => {
    if (metadata.name === context.cluster) return;
    const message = `must be ${JSON.stringify(context.cluster)}, as its folder is`;
    refinement.addIssue({ code: 'custom', message, path: ['metadata', 'name'] });
  });
  const parsed = parseDocument(schema, document, {
    file: context.file,
    generator: clusterDirectoryOf(context.cluster),
  });
  if (!parsed.ok) return parsed;
  const { metadata, spec } = parsed.value;
  return {
    ok: true,
    warnings: [],
    value: { labels: metadata.labels ?? {}, annotations: metadata.annotations ?? {}, sync: spec?.sync ?? {} },
  };
}
