import { KubeConfig } from '@kubernetes/client-node';
import { expect } from 'chai';
import { formatKubeconfig } from '../../../../src/local/control-plane/pki/kubeconfig.ts';

describe('formatKubeconfig', () => {
  it('is read by others, with everything embedded', () => {
    const text = formatKubeconfig({
      name: 'tokyo',
      url: 'https://127.0.0.1:6443',
      user: 'jane',
      ca: 'CA PEM',
      credentials: { certificate: 'CERTIFICATE PEM', key: 'KEY PEM' },
    });
    const read = new KubeConfig();
    read.loadFromString(text);
    const base64 = (pem: string): string => Buffer.from(pem).toString('base64');
    expect(read.getCurrentContext()).to.equal('tokyo');
    expect(read.getCurrentCluster()).to.deep.include({ server: 'https://127.0.0.1:6443', caData: base64('CA PEM') });
    expect(read.getCurrentUser()).to.deep.include({
      name: 'jane@tokyo',
      certData: base64('CERTIFICATE PEM'),
      keyData: base64('KEY PEM'),
    });
  });
});
