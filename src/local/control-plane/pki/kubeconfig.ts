import { dump } from 'js-yaml';
import type { Credentials } from './certificate-authority.ts';

export interface KubeconfigInput {
  /** The names of the context and of the cluster in it. */
  readonly name: string;
  readonly url: string;
  readonly user: string;
  /** PEM. */
  readonly ca: string;
  readonly credentials: Credentials;
}

/** A kubeconfig, as YAML, with everything embedded: it may be moved and copied. */
export function formatKubeconfig(input: KubeconfigInput): string {
  const base64 = (pem: string): string => Buffer.from(pem).toString('base64');
  const { name, url, credentials } = input;
  // Unique, so that kubeconfigs of several clusters can be merged as they are.
  const user = `${input.user}@${name}`;
  return dump(
    {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': name,
      clusters: [{ name, cluster: { server: url, 'certificate-authority-data': base64(input.ca) } }],
      users: [
        {
          name: user,
          user: { 'client-certificate-data': base64(credentials.certificate), 'client-key-data': base64(credentials.key) },
        },
      ],
      contexts: [{ name, context: { cluster: name, user } }],
    },
    { lineWidth: -1, noRefs: true },
  );
}
