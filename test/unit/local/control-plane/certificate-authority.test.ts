import { X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import {
  type CertificateAuthority,
  createCertificateAuthority,
  openCertificateAuthority,
} from '../../../../src/local/control-plane/pki/certificate-authority.ts';

describe('a certificate authority', () => {
  let authority: CertificateAuthority;
  let root: X509Certificate;

  before(async () => {
    authority = await openCertificateAuthority(await createCertificateAuthority('unit test'));
    root = new X509Certificate(authority.certificate);
  });

  it('is an authority, signed by itself', () => {
    expect(root.ca).to.equal(true);
    expect(root.verify(root.publicKey)).to.equal(true);
  });

  it('issues a client certificate with user and groups, for as long as asked', async () => {
    const { certificate } = await authority.issueClient('jane', ['team-a', 'system:masters'], 3_600_000);
    const client = new X509Certificate(certificate);
    expect(client.subject).to.equal('CN=jane\nO=team-a\nO=system:masters');
    expect(client.checkIssued(root) && client.verify(root.publicKey)).to.equal(true);
    expect(client.keyUsage).to.deep.equal(['1.3.6.1.5.5.7.3.2']);
    expect(client.ca).to.equal(false);
    const remainingMs = Date.parse(client.validTo) - Date.now();
    expect(remainingMs).to.be.within(3_500_000, 3_600_000);
  });

  it('issues a server certificate for names and addresses', async () => {
    const { certificate } = await authority.issueServer(['localhost'], ['127.0.0.1'], 3_600_000);
    const server = new X509Certificate(certificate);
    expect(server.checkHost('localhost')).to.equal('localhost');
    expect(server.checkIP('127.0.0.1')).to.equal('127.0.0.1');
    expect(server.checkIP('127.0.0.2')).to.equal(undefined);
    expect(server.keyUsage).to.deep.equal(['1.3.6.1.5.5.7.3.1']);
  });

  it('gives each certificate a key of its own', async () => {
    const issue = async () => (await authority.issueClient('jane', [], 60_000)).key;
    expect(await issue()).to.not.equal(await issue());
  });

  it('refuses a user name that a certificate would not keep as it is', async () => {
    const error: unknown = await authority.issueClient('a "b"', [], 60_000).catch((thrown: unknown) => thrown);
    expect(error).to.have.property('code', 'ConfigInvalid');
  });
});
