import { expect } from 'chai';

import { parseManifests } from '../../../../src/config/yaml/parse-manifests.ts';
import {
  chartsOf,
  isRemote,
  referencesOf,
} from '../../../../src/render/renderers/kustomize/kustomization.ts';

const read = (text: string) => parseManifests(text, { file: 'kustomization.yaml' }).documents[0]!.value;

describe('referencesOf', () => {
  it('finds everything that a kustomization names', () => {
    const references = referencesOf(
      read(`
resources: [a.yaml, ../base]
bases: [old]
components: [../parts]
crds: [crd.yaml]
configurations: [names.yaml]
generators: [generate.yaml]
transformers: [transform]
validators: [validate.yaml]
openapi: {path: schema.json}
patches: [{path: p.yaml}, {patch: "- op: remove"}]
patchesStrategicMerge: [s.yaml]
patchesJson6902: [{path: j.json}]
replacements: [{path: r.yaml}, {source: {}}]
configMapGenerator: [{name: c, files: [k=f.txt, g.txt], envs: [e.env], env: o.env}]
secretGenerator: [{name: s, files: [t.txt]}]
helmCharts: [{name: h, valuesFile: v.yaml, additionalValuesFiles: [w.yaml]}]
`),
    );
    expect(references.map(({ kind, target }) => `${kind} ${target}`)).to.deep.equal([
      'base a.yaml',
      'base ../base',
      'base old',
      'base ../parts',
      'base generate.yaml',
      'base transform',
      'base validate.yaml',
      'file crd.yaml',
      'file names.yaml',
      'patch s.yaml',
      'patch p.yaml',
      'patch j.json',
      'patch r.yaml',
      'file schema.json',
      'file f.txt',
      'file g.txt',
      'file e.env',
      'file o.env',
      'file t.txt',
      'file v.yaml',
      'file w.yaml',
    ]);
    expect(references[1]?.path).to.deep.equal(['resources', 1]);
    expect(references[14]?.path).to.deep.equal(['configMapGenerator', 0, 'files', 0]);
  });

  it('takes nothing for a file that is written out in place, or of another type', () => {
    const text = `
resources: [5, null, {}]
patches: none
patchesStrategicMerge: ["kind: X\\nmetadata: {}", "{kind: Y}", "- op: remove"]
transformers: ["apiVersion: builtin\\nkind: PrefixTransformer"]
configMapGenerator: [null, {files: x}]
`;
    expect(referencesOf(read(text)).map(({ target }) => target)).to.deep.equal(['- op: remove']);
  });
});

describe('chartsOf', () => {
  it('says where kustomize looks for a chart', () => {
    const charts = chartsOf(
      read(`
helmGlobals: {chartHome: ../vendor}
helmCharts:
  - {name: a}
  - {name: b, version: 1.0.0}
  - {name: c, version: 1.0.0, repo: "https://charts.example.com"}
  - {releaseName: none}
`),
    );
    expect(charts.map(({ folder }) => folder)).to.deep.equal([
      '../vendor/a',
      '../vendor/b',
      '../vendor/c-1.0.0/c',
    ]);
  });
});

describe('isRemote', () => {
  for (const target of [
    'https://github.com/example/app//base?ref=v1',
    'http://example.com/app.yaml',
    'ssh://git@example.com/app.git',
    'file:///etc/passwd',
    'git@github.com:example/app.git//base',
    'github.com/example/app/base',
    'app.git/base',
    '../app?ref=main',
  ]) {
    it(`takes ${target} for something to fetch`, () => {
      expect(isRemote(target)).to.be.true;
    });
  }
  for (const target of [
    'base',
    '../base',
    'v1.2/base',
    'my.app/base',
    'deployment.yaml',
    'a/b.yaml',
    './x',
  ]) {
    it(`takes ${target} for something here`, () => {
      expect(isRemote(target)).to.be.false;
    });
  }
});
