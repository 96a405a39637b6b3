import { expect } from 'chai';

import { findSources } from '../../../../src/render/renderers/kustomize/find-sources.ts';
import { memorySnapshot } from '../memory-snapshot.ts';

const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';

describe('findSources', () => {
  const snapshot = memorySnapshot({
    'apps/web/overlays/prod/kustomization.yaml':
      'resources: [../../base, extra]\ncomponents: [../../parts]\npatches: [{path: more.yaml}]\n',
    'apps/web/overlays/prod/more.yaml': configMap,
    'apps/web/overlays/prod/extra/kustomization.yml': 'resources: [../../../base]\n',
    'apps/web/base/Kustomization': 'resources: [a.yaml]\n',
    'apps/web/base/a.yaml': configMap,
    'apps/web/parts/kustomization.yaml': 'patches: [{path: part.yaml}]\n',
    'apps/web/parts/part.yaml': configMap,
    'apps/other/a.yaml': configMap,
  });

  it('reaches every folder that holds something of a kustomization, and no other', async () => {
    const sources = await findSources(snapshot, 'apps/web/overlays/prod', 'g');
    expect(sources.faults).to.deep.equal([]);
    expect(sources.folders).to.deep.equal(['apps/web/base', 'apps/web/overlays/prod', 'apps/web/parts']);
    expect(sources.kustomizations.map(({ file }) => file)).to.deep.equal([
      'apps/web/overlays/prod/kustomization.yaml',
      'apps/web/base/Kustomization',
      'apps/web/overlays/prod/extra/kustomization.yml',
      'apps/web/parts/kustomization.yaml',
    ]);
    expect(sources.patches).to.have.members(['apps/web/overlays/prod/more.yaml', 'apps/web/parts/part.yaml']);
  });

  it('looks once for all who ask about a revision', async () => {
    await findSources(snapshot, 'apps/web/overlays/prod', 'g');
    const before = snapshot.reads.length;
    await findSources(snapshot, 'apps/web/overlays/prod', 'g');
    expect(snapshot.reads).to.have.lengthOf(before);
  });

  it('looks again in a later revision only where something of it has changed', async () => {
    const files = {
      'app/kustomization.yaml': 'resources: [../base]\n',
      'base/kustomization.yaml': 'resources: [a.yaml]\n',
      'base/a.yaml': configMap,
    };
    const first = memorySnapshot(files);
    const sources = await findSources(first, 'app', 'g');
    /** A later revision in which `app` is the very same folder. */
    const later = (changes: Readonly<Record<string, string>>) => {
      const next = memorySnapshot({ ...files, ...changes });
      const children = new Map([...next.tree.children, ['app', first.tree.children.get('app')!]]);
      return { ...next, tree: { ...next.tree, children } };
    };
    expect(await findSources(later({ 'other.yaml': configMap }), 'app', 'g')).to.equal(sources);
    const changed = await findSources(
      later({ 'base/kustomization.yaml': 'resources: [b.yaml]\n' }),
      'app',
      'g',
    );
    expect(changed.faults).to.have.lengthOf(1);
    const mended = later({ 'base/kustomization.yaml': 'resources: [b.yaml]\n', 'base/b.yaml': configMap });
    expect((await findSources(mended, 'app', 'g')).faults).to.deep.equal([]);
  });

  it('looks again where a file could not be read', async () => {
    const broken = memorySnapshot({ 'app/kustomization.yaml': 'resources: []\n' });
    let fails = true;
    const flaky = {
      ...broken,
      read: (path: string) => (fails ? Promise.reject(new Error('gone')) : broken.read(path)),
    };
    expect((await findSources(flaky, 'app', 'g')).faults).to.have.lengthOf(1);
    fails = false;
    expect((await findSources(flaky, 'app', 'g')).faults).to.deep.equal([]);
  });
});
