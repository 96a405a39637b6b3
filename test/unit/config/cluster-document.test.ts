import { expect } from 'chai';

import { parseClusterDocument, parseGitCluster } from '../../../src/config/cluster-document.ts';
import { parseManifests, type YamlDocument } from '../../../src/config/yaml/parse-manifests.ts';

const context = { file: 'tokyo.yaml', baseDir: '/etc/fleet/clusters.d', homeDir: '/home/eva' };

function document(spec: string): YamlDocument {
  const text = `apiVersion: fleetwright.dev/v1alpha1\nkind: Cluster\nmetadata: {name: tokyo}\nspec: ${spec}\n`;
  return parseManifests(text, { file: context.file }).documents[0]!;
}

describe('where the audit log of a cluster is', () => {
  it('is told by the registry, relative to the file that says so', () => {
    const parsed = parseClusterDocument(
      document('{kubeconfig: {path: /k}, audit: {path: ../logs/tokyo.jsonl}}'),
      context,
    );
    expect(parsed).to.have.nested.property('value.audit.path', '/etc/fleet/logs/tokyo.jsonl');
  });

  it('may be left out', () => {
    const parsed = parseClusterDocument(document('{kubeconfig: {path: /k}}'), context);
    expect(parsed).to.have.property('ok', true);
    expect(parsed).not.to.have.nested.property('value.audit');
  });

  const broken: Readonly<Record<string, string>> = {
    '{}': 'tokyo.yaml:4:32: ConfigInvalid: spec.audit.path: is required',
    '{path: ""}': 'tokyo.yaml:4:40: ConfigInvalid: spec.audit.path: must not be empty',
    '{file: a}': 'tokyo.yaml:4:40: ConfigInvalid: spec.audit: unknown key "file"; known are path',
  };
  for (const [audit, expected] of Object.entries(broken)) {
    it(`is a fault where it is ${audit}`, () => {
      const parsed = parseClusterDocument(document(`{kubeconfig: {path: /k}, audit: ${audit}}`), context);
      expect(parsed.ok ? [] : parsed.faults.map((fault) => fault.describe())).to.include(expected);
    });
  }

  it('is never read from Git', () => {
    const parsed = parseGitCluster(document('{audit: {path: /var/log/audit.log}}'), {
      file: context.file,
      cluster: 'tokyo',
    });
    expect(parsed.ok ? [] : parsed.faults.map(({ message }) => message)).to.deep.equal([
      'spec.audit: where the audit log of a cluster is stays in the registry; it is never read from Git',
    ]);
  });
});
