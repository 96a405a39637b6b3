import './reflect-shim.ts';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { FleetError } from '../../../model/fleet-error.ts';

/** A certificate and its private key, both PEM. */
export interface Credentials {
  readonly certificate: string;
  readonly key: string;
}

export interface CertificateAuthority {
  /** PEM. */
  readonly certificate: string;
  /** For a person or program: `user` becomes the common name, `groups` the organisations, as Kubernetes reads them. */
  issueClient(user: string, groups: readonly string[], lifetimeMs: number): Promise<Credentials>;
  /** For a server reached by these DNS names and IP addresses. */
  issueServer(names: readonly string[], addresses: readonly string[], lifetimeMs: number): Promise<Credentials>;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const yearMs = 365 * 24 * 3600 * 1000;
/** Certificates hold from a little before now, so that two clocks need not agree to the second. */
const backdateMs = 60_000;

/** A new authority of ten years, as PEM, to be kept and opened again with openCertificateAuthority. */
export async function createCertificateAuthority(name: string): Promise<Credentials> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [name] }],
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - backdateMs),
    notAfter: new Date(Date.now() + 10 * yearMs),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: certificate.toString('pem'), key: await exportKey(keys.privateKey) };
}

/** An authority that issues with the given certificate and key. */
export async function openCertificateAuthority(authority: Credentials): Promise<CertificateAuthority> {
  const issuer = new x509.X509Certificate(authority.certificate);
  const signingKey = await webcrypto.subtle.importKey(
    'pkcs8',
    x509.PemConverter.decodeFirst(authority.key),
    algorithm,
    false,
    ['sign'],
  );
  const issue = async (subject: x509.JsonName, lifetimeMs: number, extensions: x509.Extension[]): Promise<Credentials> => {
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const certificate = await x509.X509CertificateGenerator.create({
      subject,
      issuer: issuer.subjectName,
      publicKey: keys.publicKey,
      signingKey,
      signingAlgorithm: algorithm,
      notBefore: new Date(Date.now() - backdateMs),
      notAfter: new Date(Date.now() + lifetimeMs),
      extensions: [
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        await x509.AuthorityKeyIdentifierExtension.create(issuer, false),
        ...extensions,
      ],
    });
    return { certificate: certificate.toString('pem'), key: await exportKey(keys.privateKey) };
  };
  return {
    certificate: authority.certificate,
    issueClient: async (user, groups, lifetimeMs) => {
      requirePlain([user, ...groups]);
      return issue([{ CN: [user] }, ...groups.map((group) => ({ O: [group] }))], lifetimeMs, [
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
      ]);
    },
    issueServer: (names, addresses, lifetimeMs) =>
      issue([{ CN: ['kube-apiserver'] }], lifetimeMs, [
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension([
          ...names.map((value) => ({ type: 'dns' as const, value })),
          ...addresses.map((value) => ({ type: 'ip' as const, value })),
        ]),
      ]),
  };
}

/** A key pair for service account tokens: the API server reads the public half only in its own PEM form. */
export async function createSigningKeyPair(): Promise<{ readonly publicKey: string; readonly privateKey: string }> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const spki = await webcrypto.subtle.exportKey('spki', keys.publicKey);
  return { publicKey: x509.PemConverter.encode(spki, 'PUBLIC KEY'), privateKey: await exportKey(keys.privateKey) };
}

/** x509 reads quotes and a leading # in a name as syntax: another user than the one meant would come out. */
function requirePlain(names: readonly string[]): void {
  const odd = names.find((name) => !/^[\w@:./-][\w@:./ -]*$/.test(name));
  if (odd !== undefined) throw new FleetError('ConfigInvalid', `'${odd}' cannot be the name of a user or group here`);
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}
