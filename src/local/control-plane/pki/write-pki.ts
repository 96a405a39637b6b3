import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CertificateAuthority,
  createCertificateAuthority,
  createSigningKeyPair,
  openCertificateAuthority,
} from './certificate-authority.ts';
import { writePrivateFile } from './write-private-file.ts';

/** What a control plane needs on disk, by path. */
export interface PkiFiles {
  readonly authority: CertificateAuthority;
  readonly caPath: string;
  readonly serverCertificatePath: string;
  readonly serverKeyPath: string;
  readonly serviceAccountKeyPath: string;
  readonly serviceAccountPublicKeyPath: string;
}

const serverNames = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'];
const serverLifetimeMs = 365 * 24 * 3600 * 1000;

/**
 * Writes certificates and keys to a folder, readable by its owner alone. The authority and the service account keys
 * are kept when they are there already, so that credentials and tokens stay valid over a restart; the server's
 * certificate is new each time.
 */
export async function writePki(dir: string, name: string, addresses: readonly string[]): Promise<PkiFiles> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const path = (file: string): string => join(dir, file);
  const authority = await openCertificateAuthority(await keptAuthority(path('ca.crt'), path('ca.key'), name));
  await keepSigningKeys(path('sa.pub'), path('sa.key'));
  const server = await authority.issueServer(serverNames, addresses, serverLifetimeMs);
  await writePrivateFile(path('apiserver.crt'), server.certificate);
  await writePrivateFile(path('apiserver.key'), server.key);
  return {
    authority,
    caPath: path('ca.crt'),
    serverCertificatePath: path('apiserver.crt'),
    serverKeyPath: path('apiserver.key'),
    serviceAccountKeyPath: path('sa.key'),
    serviceAccountPublicKeyPath: path('sa.pub'),
  };
}

async function keptAuthority(certificatePath: string, keyPath: string, name: string) {
  const [certificate, key] = await Promise.all([readIfThere(certificatePath), readIfThere(keyPath)]);
  if (certificate !== undefined && key !== undefined) return { certificate, key };
  const created = await createCertificateAuthority(`${name} local control plane`);
  await writePrivateFile(certificatePath, created.certificate);
  await writePrivateFile(keyPath, created.key);
  return created;
}

async function keepSigningKeys(publicKeyPath: string, privateKeyPath: string): Promise<void> {
  const [publicKey, privateKey] = await Promise.all([readIfThere(publicKeyPath), readIfThere(privateKeyPath)]);
  if (publicKey !== undefined && privateKey !== undefined) return;
  const created = await createSigningKeyPair();
  await writePrivateFile(publicKeyPath, created.publicKey);
  await writePrivateFile(privateKeyPath, created.privateKey);
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
