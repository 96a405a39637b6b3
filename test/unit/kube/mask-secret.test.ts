import { expect } from 'chai';
import { maskSecretValues } from '../../../src/kube/mask-secret.ts';

describe('maskSecretValues', () => {
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    data: { password: Buffer.from('hunter2').toString('base64'), pin: Buffer.from('12').toString('base64') },
    stringData: { 'app.conf': 'line "one"\nline two' },
  };

  it('takes values out in every form that a server may quote', () => {
    const message =
      'password: "aHVudGVyMg==" or hunter2; app.conf: "line \\"one\\"\\nline two"; pin: "12" of 12 keys';
    expect(maskSecretValues(message, secret)).to.equal(
      'password: "***" or ***; app.conf: "***"; pin: *** of 12 keys',
    );
  });

  it('leaves names and other kinds as they are', () => {
    expect(maskSecretValues('data[password]: Invalid value', secret)).to.equal(
      'data[password]: Invalid value',
    );
    const configMap = { ...secret, kind: 'ConfigMap' };
    expect(maskSecretValues('hunter2', configMap)).to.equal('hunter2');
    expect(maskSecretValues('hunter2', undefined)).to.equal('hunter2');
  });
});
