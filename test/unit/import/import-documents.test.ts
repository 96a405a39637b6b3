import { expect } from 'chai';
import fc from 'fast-check';
import { dump } from 'js-yaml';

import { importDocuments, type ImportFormat } from '../../../src/import/import-documents.ts';
import { clusterOfServer } from '../../../src/import/import-options.ts';

const noOptions = { servers: new Map<string, string>() };

function importText(text: string, format: ImportFormat = 'argocd-applicationset') {
  return importDocuments([{ name: 'a.yaml', bytes: Buffer.from(text) }], format, noOptions);
}

describe('importing documents', () => {
  it('takes any document of the kind, and makes only generators that can be read', () => {
    const word = fc.constantFrom(
      ...[
        'generators',
        'clusters',
        'list',
        'elements',
        'git',
        'files',
        'directories',
        'path',
        'matrix',
        'merge',
      ],
      ...[
        'template',
        'metadata',
        'name',
        'spec',
        'source',
        'sources',
        'helm',
        'values',
        'parameters',
        'chart',
      ],
      ...['destination', 'server', 'syncPolicy', 'automated', 'selector', 'matchLabels', 'patches', 'patch'],
      ...['target', 'postBuild', 'substitute', 'dependsOn', 'kubeConfig', 'prune', 'mergeKeys', '__proto__'],
    );
    const text = fc.constantFrom(
      '{{name}}',
      '{{ .x | lower }}',
      'a/b',
      '..',
      '',
      'x: {{y}}',
      '- op: add',
      '$v/x',
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 6 },
        text,
        fc.boolean(),
        fc.integer(),
        fc.constant(null),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(word, tie('tree'), { maxKeys: 5 }),
      ),
    }));
    const kinds = {
      'argocd-applicationset': { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet' },
      'flux-kustomization': { apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization' },
    } as const;
    const template = {
      metadata: { name: 'a' },
      spec: { source: { path: 'a' }, destination: { name: '{{name}}' } },
    };
    fc.assert(
      fc.property(tree, tree, fc.boolean(), (one, other, goTemplate) => {
        const sets = [
          { generators: [{ clusters: {} }, one], template: other, goTemplate },
          { generators: [one, { list: other }], template, goTemplate },
        ];
        for (const spec of sets) {
          const document = { ...kinds['argocd-applicationset'], metadata: { name: 'a' }, spec };
          importText(dump(document, { noRefs: true }));
        }
        const document = { ...kinds['flux-kustomization'], metadata: { name: 'a' }, spec: one };
        importText(dump(document, { noRefs: true }), 'flux-kustomization');
      }),
      { numRuns: 300 },
    );
  });

  it('says of a generator that is not valid what is wrong with it', () => {
    const { findings } = importText(`
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: a}
spec:
  generators: [{clusters: {selector: {matchExpressions: [{key: env, operator: Is, values: [x]}]}}}]
  template: {metadata: {name: a}, spec: {source: {path: a}, destination: {name: '{{name}}', namespace: UPPER}}}
`);
    const messages = findings.filter(({ kind }) => kind === 'unsupported').map(({ message }) => message);
    expect(messages.join('\n'))
      .to.contain(
        'the generator is not valid as it stands: spec.clusterSelector.matchExpressions[0].operator',
      )
      .and.to.contain('spec.namespace');
  });

  it('refuses lists that multiply beyond what a generator may hold', () => {
    const elements = JSON.stringify(Array.from({ length: 101 }, (_, index) => ({ [`k${index}`]: 'x' })));
    const list = `{list: {elements: ${elements}}}`;
    const { generators, findings } = importText(`
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: a}
spec:
  generators: [{matrix: {generators: [${list}, ${list}]}}]
  template: {metadata: {name: a}, spec: {source: {path: a}, destination: {name: a}}}
`);
    expect(generators).to.deep.equal([]);
    expect(findings.map(({ message }) => message)).to.deep.equal(['its lists give more than 10000 items']);
  });

  it('reads a file of 100,000 open braces at once', () => {
    const text = '{{'.repeat(100_000);
    const { findings } = importText(`
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: a}
spec:
  generators: [{clusters: {}}]
  template:
    metadata: {name: a}
    spec: {source: {path: '${text}', helm: {values: '${text}'}}, destination: {name: '{{name}}'}}
`);
    expect(findings).not.to.deep.equal([]);
  });

  it('knows a server by any way to write its URL', () => {
    const servers = new Map([['https://10.0.0.1', 'one']]);
    expect(clusterOfServer('https://10.0.0.1/', { servers })).to.equal('one');
    expect(clusterOfServer('http://kubernetes.default.svc', { servers })).to.equal('in-cluster');
    expect(clusterOfServer('https://10.0.0.2', { servers })).to.equal(undefined);
  });
});
