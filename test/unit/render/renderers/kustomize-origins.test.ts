import { expect } from 'chai';

import { findSources } from '../../../../src/render/renderers/kustomize/find-sources.ts';
import {
  canAskForOrigins,
  originOf,
  withoutOrigin,
} from '../../../../src/render/renderers/kustomize/kustomize-origins.ts';
import { memorySnapshot } from '../memory-snapshot.ts';

const annotated = (annotations: Record<string, string>) => ({
  kind: 'ConfigMap',
  metadata: { name: 'a', annotations },
});
const note = 'config.kubernetes.io/origin';

describe('origins that kustomize notes', () => {
  it('are paths from the kustomization that is built', () => {
    expect(originOf(annotated({ [note]: 'path: ../base/a.yaml\n' }), 'apps/over')).to.equal(
      'apps/base/a.yaml',
    );
    const generated = 'configuredIn: kustomization.yaml\nconfiguredBy: {kind: ConfigMapGenerator}\n';
    expect(originOf(annotated({ [note]: generated }), 'apps/over')).to.equal('apps/over/kustomization.yaml');
    expect(originOf(annotated({ [note]: 'path: ../../../etc/passwd\n' }), 'apps')).to.be.undefined;
    expect(originOf(annotated({ [note]: '}{' }), 'apps')).to.be.undefined;
    expect(originOf(annotated({}), 'apps')).to.be.undefined;
  });

  it('leave no trace in the object', () => {
    expect(withoutOrigin(annotated({ [note]: 'x' }))).to.deep.equal({
      kind: 'ConfigMap',
      metadata: { name: 'a' },
    });
    expect(withoutOrigin(annotated({ [note]: 'x', other: 'y' }))).to.deep.equal(annotated({ other: 'y' }));
  });

  const asksFor = async (text: string, patches: readonly string[] = []): Promise<boolean> => {
    const files = { 'app/kustomization.yaml': text, 'base/kustomization.yaml': 'resources: []\n' };
    return canAskForOrigins(await findSources(memorySnapshot(files), 'app', 'g'), patches);
  };

  it('are asked for where that changes nothing else', async () => {
    expect(await asksFor('---\nresources: [../base]\nnamePrefix: x-\n')).to.be.true;
    expect(await asksFor('resources: [../base]\n', ['- {op: remove, path: /spec/replicas}'])).to.be.true;
  });

  it('are not asked for where it could', async () => {
    expect(await asksFor('{"resources": ["../base"]}')).to.be.false;
    expect(await asksFor('resources: [../base]\n...\n')).to.be.false;
    expect(await asksFor('buildMetadata: [managedByLabel]\n')).to.be.false;
    expect(await asksFor('transformers: ["apiVersion: builtin\\nkind: X"]\n')).to.be.false;
    expect(await asksFor('patches: [{patch: "- {op: remove, path: /metadata/annotations/a}"}]\n')).to.be
      .false;
    expect(await asksFor('resources: [../base]\n', ['fieldPaths: [metadata.annotations.a]'])).to.be.false;
  });
});
