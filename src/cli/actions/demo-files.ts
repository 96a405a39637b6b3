import { dump } from 'js-yaml';

import type { RunningClusters } from './start-demo-clusters.ts';

type DemoMember = RunningClusters['members'][number];

/** The settings of the demo's fleet: short intervals, so that what one does is seen at once. */
export function demoSettings(options: { readonly repositoryUrl: string; readonly port: number }): string {
  return `# The demo's fleet. A file like this one, with your own URL and clusters, is all that a fleet needs.
apiVersion: fleetwright.dev/v1alpha1
kind: Fleet
metadata: {name: acme}
spec:
  source: {url: "${options.repositoryUrl}", ref: main, interval: 1s}
  clusters:
    - directory: {path: ./clusters.d}
  sync: {labelGrace: 10s}
  server: {listen: "127.0.0.1:${options.port}"}
  stateDir: ./state
`;
}

/** A cluster's file in clusters.d/: its labels decide what it gets, its audit log tells who deleted what. */
export function demoClusterFile({ cluster, kubeconfig, auditLogPath }: DemoMember): string {
  const audit = auditLogPath === undefined ? {} : { audit: { path: auditLogPath } };
  return dump({
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'Cluster',
    metadata: { name: cluster.name, labels: { ...cluster.labels } },
    spec: { kubeconfig: { ...kubeconfig }, ...audit },
  });
}
