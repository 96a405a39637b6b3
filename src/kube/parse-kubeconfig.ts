import { load } from 'js-yaml';
import { z } from 'zod';

import { FleetError } from '../model/fleet-error.ts';

const text = z.string().optional();

const clusterSchema = z.object({
  server: z.string(),
  'certificate-authority': text,
  'certificate-authority-data': text,
  'insecure-skip-tls-verify': z.boolean().optional(),
  'tls-server-name': text,
  'proxy-url': text,
});

const userSchema = z.object({
  'client-certificate': text,
  'client-certificate-data': text,
  'client-key': text,
  'client-key-data': text,
  token: text,
  tokenFile: text,
  username: text,
  password: text,
  as: text,
  'as-uid': text,
  'as-groups': z.array(z.string()).optional(),
  'as-user-extra': z.record(z.string(), z.array(z.string())).optional(),
  exec: z
    .looseObject({
      command: z.string(),
      args: z.array(z.string()).nullish(),
      env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
      apiVersion: text,
      provideClusterInfo: z.boolean().optional(),
    })
    .nullish(),
  'auth-provider': z.looseObject({ name: z.string() }).nullish(),
});

const kubeconfigSchema = z.object({
  'current-context': text,
  contexts: z
    .array(z.object({ name: z.string(), context: z.object({ cluster: z.string(), user: text }) }))
    .default([]),
  clusters: z.array(z.object({ name: z.string(), cluster: clusterSchema })).default([]),
  users: z.array(z.object({ name: z.string(), user: userSchema.nullish() })).default([]),
});

export type KubeconfigCluster = z.infer<typeof clusterSchema>;
export type KubeconfigUser = z.infer<typeof userSchema>;

/** What one context of a kubeconfig points to. */
export interface KubeconfigContext {
  readonly name: string;
  readonly cluster: KubeconfigCluster;
  readonly user: KubeconfigUser;
}

/**
 * The named context of a kubeconfig, or its current one.
 * @throws FleetError ConfigInvalid, naming file and context and quoting nothing of the content.
 */
export function parseKubeconfig(
  content: string,
  options: { file: string; context?: string | undefined },
): KubeconfigContext {
  const fail = (reason: string): FleetError =>
    new FleetError('ConfigInvalid', `kubeconfig ${options.file}: ${reason}`);
  const config = kubeconfigSchema.safeParse(parseYaml(content, fail));
  if (!config.success) {
    const issues = config.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw fail(issues.join('; '));
  }
  const name = options.context ?? config.data['current-context'] ?? '';
  if (name === '') throw fail('it names no current-context; name the context to use');
  return resolveContext(config.data, name, fail);
}

type Fail = (reason: string) => FleetError;

function resolveContext(
  config: z.infer<typeof kubeconfigSchema>,
  name: string,
  fail: Fail,
): KubeconfigContext {
  const context = config.contexts.find((entry) => entry.name === name)?.context;
  if (context === undefined) throw fail(`it has no context '${name}'`);
  const cluster = config.clusters.find((entry) => entry.name === context.cluster)?.cluster;
  if (cluster === undefined)
    throw fail(`context '${name}' names the cluster '${context.cluster}', which is not there`);
  if (!/^https?:\/\//.test(cluster.server) || !URL.canParse(cluster.server)) {
    throw fail(`context '${name}': the server of cluster '${context.cluster}' is no http or https URL`);
  }
  const user = config.users.find((entry) => entry.name === context.user);
  if (context.user !== undefined && context.user !== '' && user === undefined) {
    throw fail(`context '${name}' names the user '${context.user}', who is not there`);
  }
  return { name, cluster, user: user?.user ?? {} };
}

function parseYaml(content: string, fail: Fail): unknown {
  try {
    return load(content, { maxAliases: 50 });
  } catch (error) {
    // The parser's own message quotes the line, which may hold a token: only the position is passed on.
    const line = positionOf(error);
    throw fail(`it is no valid YAML${line === undefined ? '' : ` (line ${line})`}`);
  }
}

function positionOf(error: unknown): number | undefined {
  const mark = error instanceof Error && 'mark' in error ? error.mark : undefined;
  const line = typeof mark === 'object' && mark !== null && 'line' in mark ? mark.line : undefined;
  return typeof line === 'number' ? line + 1 : undefined;
}
