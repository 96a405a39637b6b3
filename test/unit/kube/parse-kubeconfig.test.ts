import { expect } from 'chai';
import { dump } from 'js-yaml';
import { parseKubeconfig } from '../../../src/kube/parse-kubeconfig.ts';
import { FleetError } from '../../../src/model/fleet-error.ts';

const complete = {
  apiVersion: 'v1',
  kind: 'Config',
  preferences: {},
  'current-context': 'blue',
  contexts: [
    { name: 'blue', context: { cluster: 'one', user: 'ann', namespace: 'ignored' } },
    { name: 'green', context: { cluster: 'two' } },
    { name: 'no-cluster', context: { cluster: 'three', user: 'ann' } },
    { name: 'no-user', context: { cluster: 'one', user: 'bob' } },
    { name: 'no-url', context: { cluster: 'bad', user: 'ann' } },
  ],
  clusters: [
    { name: 'one', cluster: { server: 'https://one.example.com:6443', 'tls-server-name': 'kubernetes' } },
    { name: 'two', cluster: { server: 'https://two.example.com/k8s/clusters/c-2' } },
    { name: 'bad', cluster: { server: 'unix:/run/x' } },
  ],
  users: [{ name: 'ann', user: { token: 'hunter2' } }],
};

const refusal = (content: string, context?: string): string => {
  try {
    parseKubeconfig(content, { file: '/k', context });
  } catch (error) {
    if (error instanceof FleetError && error.code === 'ConfigInvalid') return error.message;
    throw error;
  }
  throw new Error('it was expected to be refused');
};

describe('parseKubeconfig', () => {
  it('finds the current context, or the one that is named', () => {
    const content = dump(complete);
    expect(parseKubeconfig(content, { file: '/k' })).to.deep.equal({
      name: 'blue',
      cluster: { server: 'https://one.example.com:6443', 'tls-server-name': 'kubernetes' },
      user: { token: 'hunter2' },
    });
    expect(parseKubeconfig(content, { file: '/k', context: 'green' })).to.deep.include({
      name: 'green',
      user: {},
    });
  });

  for (const [context, reason] of [
    ['missing', "it has no context 'missing'"],
    ['no-cluster', "context 'no-cluster' names the cluster 'three', which is not there"],
    ['no-user', "context 'no-user' names the user 'bob', who is not there"],
    ['no-url', "context 'no-url': the server of cluster 'bad' is no http or https URL"],
  ] as const) {
    it(`refuses the context ${context}, naming file and context`, () => {
      expect(refusal(dump(complete), context)).to.equal(`kubeconfig /k: ${reason}`);
    });
  }

  it('refuses a file without a current context', () => {
    expect(refusal(dump({ ...complete, 'current-context': '' }))).to.match(
      /^kubeconfig \/k: it names no current-context/,
    );
    expect(refusal('{}')).to.match(/no current-context/);
  });

  it('quotes nothing of what it cannot read', () => {
    const broken = [
      'users:\n- name: a\n  user: {token: hunter2\n',
      'token: hunter2\n\tbad: indentation\n',
      dump({ ...complete, users: [{ name: 'ann', user: { token: { hunter2: 'hunter2' } } }] }),
      'hunter2',
    ].map((content) => refusal(content));
    for (const message of broken)
      expect(message)
        .to.match(/^kubeconfig \/k: /)
        .and.to.not.include('hunter2');
    expect(broken[0]).to.match(/no valid YAML \(line \d\)/);
    expect(broken[2]).to.include('users.0.user.token');
  });
});
