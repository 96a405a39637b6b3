/** What a test says of an audit event; the rest is as `kubectl` by jane makes it. */
export interface Said {
  readonly verb?: string;
  /** 'configmaps/shop/web', 'deployments.apps/shop/web', 'namespaces/shop/shop'; a name of '' is a collection. */
  readonly object?: string;
  readonly subresource?: string;
  readonly user?: string;
  readonly impersonated?: string;
  readonly agent?: string;
  readonly uri?: string;
  readonly code?: number;
  readonly stage?: string;
  readonly sourceIPs?: readonly unknown[];
  /** Seconds after noon. */
  readonly at?: number;
  /** A deletion that the answer calls done. */
  readonly isGone?: boolean;
}

const defaults = {
  verb: 'delete',
  object: 'configmaps/shop/web',
  user: 'jane',
  agent: 'kubectl/v1.36.3 (linux/amd64) kubernetes/4cb5f07',
  stage: 'ResponseComplete',
  sourceIPs: ['10.0.0.7'],
  at: 0,
} as const;

/** A line as kube-apiserver 1.36 writes it. */
export function auditLine(said: Said = {}): string {
  const { verb, object, user, impersonated, agent, stage, sourceIPs, at, ...rest } = { ...defaults, ...said };
  const [resource = '', namespace = '', name = ''] = object.split('/');
  const [plural = '', ...group] = resource.split('.');
  return JSON.stringify({
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'Metadata',
    auditID: 'd72aa097-ced5-4140-961b-e4a19851c8ee',
    stage,
    requestURI: rest.uri ?? `/api/v1/namespaces/${namespace}/${plural}/${name}`,
    verb,
    user: { username: user, groups: ['system:authenticated'] },
    ...(impersonated && { impersonatedUser: { username: impersonated } }),
    sourceIPs,
    userAgent: agent,
    objectRef: {
      resource: plural,
      namespace: namespace || undefined,
      name: name || undefined,
      apiGroup: group.join('.') || undefined,
      apiVersion: 'v1',
      subresource: rest.subresource,
    },
    responseStatus: answerTo(verb, { ...said, name }),
    requestReceivedTimestamp: timeAt(at),
    stageTimestamp: timeAt(at + 0.002),
    annotations: { 'authorization.k8s.io/decision': 'allow' },
  });
}

function answerTo(verb: string, said: Said & { readonly name: string }): object {
  const isGone = said.isGone ?? verb === 'delete';
  const status = isGone ? { status: 'Success', details: { name: said.name, uid: 'u-1' } } : {};
  return { metadata: {}, ...status, code: said.code ?? (verb === 'create' ? 201 : 200) };
}

/** RFC 3339 with microseconds, as the API server writes it. */
export function timeAt(seconds: number): string {
  return new Date(Date.UTC(2026, 10, 30, 12) + Math.round(seconds * 1_000))
    .toISOString()
    .replace('Z', '000Z');
}
