import type { JsonObject } from '../../src/model/json.ts';

export interface WorkloadOptions {
  readonly annotations?: JsonObject;
  readonly replicas?: number;
  /** What the template is told by, so that another one is another rollout. */
  readonly image?: string;
}

/** A Deployment, which the simulated node of a test control plane rolls out. */
export function deploymentManifest(namespace: string, name: string, options: WorkloadOptions = {}): string {
  const labels = { app: name };
  return JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, annotations: options.annotations ?? {} },
    spec: {
      replicas: options.replicas ?? 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'web', image: options.image ?? 'example.com/web:1' }] },
      },
    },
  });
}
