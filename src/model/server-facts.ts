/** What a cluster's API server said of itself when it was last asked. Plain data, so that it can be kept. */
export interface ServerFacts {
  /** '1.36' */
  readonly version: string;
  /** 'v1.36.3' */
  readonly kubeVersion: string;
  /** Sorted: 'v1', 'apps/v1' and the kinds in each, as in 'apps/v1/Deployment'. */
  readonly apiVersions: readonly string[];
  /** Those kinds that live in no namespace, as groupKindOf writes them: 'Namespace', 'ClusterRole.rbac.authorization.k8s.io'. */
  readonly clusterScoped: readonly string[];
}
