import type { PkiFiles } from './pki/write-pki.ts';

/**
 * etcd listens on Unix sockets in its working directory: only their owner reaches them, no port is taken, and
 * relative names are never too long for a socket. etcd demands a port in every URL, so the names end in one.
 */
export const etcdSockets = { client: 'etcd:1', peer: 'etcd:2' } as const;

/** The addresses at which the API server's certificate holds: loopback and the first of the service range. */
export const serverAddresses: readonly string[] = ['127.0.0.1', '10.0.0.1'];

/** Flags of etcd. Nothing is synced to disk: a crash of the machine may lose data, a crash of etcd does not. */
export function etcdFlags(): string[] {
  const client = `unix://${etcdSockets.client}`;
  const peer = `unix://${etcdSockets.peer}`;
  return [
    '--name=local',
    '--data-dir=etcd-data',
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=local=${peer}`,
    '--unsafe-no-fsync',
    '--log-level=warn',
  ];
}

export interface ApiServerFlagOptions {
  readonly port: number;
  readonly pki: PkiFiles;
  /** Where the audit log and its policy are; undefined for none. */
  readonly audit?: { readonly logPath: string; readonly policyPath: string };
}

/** Flags of kube-apiserver: loopback only, client certificates only, RBAC. */
export function apiServerFlags({ port, pki, audit }: ApiServerFlagOptions): string[] {
  return [
    `--etcd-servers=unix://${etcdSockets.client}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    // There is no kubernetes Service to reach from Pods, and loopback is refused as an endpoint of one.
    '--endpoint-reconciler-type=none',
    `--client-ca-file=${pki.caPath}`,
    `--tls-cert-file=${pki.serverCertificatePath}`,
    `--tls-private-key-file=${pki.serverKeyPath}`,
    `--service-account-key-file=${pki.serviceAccountPublicKeyPath}`,
    `--service-account-signing-key-file=${pki.serviceAccountKeyPath}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    '--anonymous-auth=false',
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--allow-privileged=true',
    '--profiling=false',
    ...(audit === undefined
      ? []
      : [
          `--audit-log-path=${audit.logPath}`,
          `--audit-policy-file=${audit.policyPath}`,
          // One file, whatever its size: tests count its lines.
          '--audit-log-maxsize=10240',
        ]),
  ];
}

/** Flags of kube-controller-manager: every controller but those that expect machines to report. */
export function controllerManagerFlags(kubeconfigPath: string, pki: PkiFiles): string[] {
  return [
    `--kubeconfig=${kubeconfigPath}`,
    `--root-ca-file=${pki.caPath}`,
    `--service-account-private-key-file=${pki.serviceAccountKeyPath}`,
    '--use-service-account-credentials=true',
    '--controllers=*,-node-ipam-controller,-node-lifecycle-controller',
    '--leader-elect=false',
    // Its default of 20 requests a second makes it take 4 s to begin its work.
    '--kube-api-qps=1000',
    '--kube-api-burst=2000',
    '--secure-port=0',
    '--profiling=false',
  ];
}

/** Every request once it is answered; of a long-running one, its start as well. */
export const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'Metadata' }],
};
