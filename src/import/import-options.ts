/** What the person who imports knows and the foreign documents do not say. */
export interface ImportOptions {
  /** Names of clusters by the URL of their API server, as Argo CD writes it. */
  readonly servers: ReadonlyMap<string, string>;
  /** The URL of the Git repository that is, or will be, the fleet repository. */
  readonly repository?: string;
  /** The cluster that Flux Kustomizations are for, where neither their folder nor `kubeConfig` says it. */
  readonly cluster?: string;
}

const inClusterServer = 'https://kubernetes.default.svc';
/** How Argo CD names the cluster that it runs in itself. */
export const inClusterName = 'in-cluster';

/** The name of a cluster by its server's URL. */
export function clusterOfServer(server: string, options: ImportOptions): string | undefined {
  const plain = server.replace(/\/+$/, '');
  const isInCluster = plain.replace(/^http:/, 'https:') === inClusterServer;
  return options.servers.get(plain) ?? (isInCluster ? inClusterName : undefined);
}
