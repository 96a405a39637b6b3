import { expect } from 'chai';

import { owned, refOf, wanted } from '../objects.ts';
import { scene } from './scene.ts';

describe('what may be pruned (invariant 3)', () => {
  it('is an owned object that Git no longer has', () => {
    const { deleted, kept } = scene().wants('ConfigMap/a').owns('ConfigMap/a', 'ConfigMap/b').plan();
    expect({ deleted, kept }).to.deep.equal({ deleted: ['ConfigMap/b'], kept: {} });
  });

  it('is never an object that moved to another file', () => {
    const { deleted } = scene()
      .wants(wanted('ConfigMap/a', { file: 'apps/other.yaml' }), 'ConfigMap/b')
      .owns('ConfigMap/a')
      .plan();
    expect(deleted).to.deep.equal([]);
  });

  it('is never an object that moved to another generator, or whose generator is unknown', () => {
    const { deleted } = scene()
      .wants(wanted('ConfigMap/a', { generator: 'new' }), wanted('ConfigMap/b', { generator: 'new' }))
      .owns(owned('ConfigMap/a', { generator: 'gone' }), owned('ConfigMap/b', { generator: '' }))
      .plan();
    expect(deleted).to.deep.equal([]);
  });

  it('is never an object that Git has in another version', () => {
    const old = { ...refOf('Widget/a'), apiVersion: 'example.com/v1alpha1' };
    const { deleted } = scene()
      .wants('Widget/a')
      .owns(owned('Widget/a', { ref: old }))
      .plan();
    expect(deleted).to.deep.equal([]);
  });

  it('is never an object that Git has in a version which is not served, in its generator’s namespace', () => {
    const inGit = { ...refOf('Widget/a'), apiVersion: 'example.com/v1alpha1', namespace: '' };
    const { deleted } = scene()
      .wants(wanted('Widget/a', { ref: inGit }))
      .owns('Widget/a')
      .doesNotServe('example.com/v1alpha1', 'Widget')
      .plan();
    expect(deleted).to.deep.equal([]);
  });

  it('is never an object that Git has twice, although neither can be applied', () => {
    const twice = [wanted('ConfigMap/a'), wanted('ConfigMap/a', { file: 'apps/copy.yaml' })];
    const { deleted } = scene()
      .wants(...twice)
      .owns('ConfigMap/a')
      .plan();
    expect(deleted).to.deep.equal([]);
  });

  it('is never an object that Git has under another of the groups that show it', () => {
    const event = (apiVersion: string): ReturnType<typeof refOf> => ({ ...refOf('Event/a'), apiVersion });
    const { deleted } = scene()
      .wants(wanted('Event/a', { ref: event('events.k8s.io/v1') }))
      .owns(owned('Event/a', { ref: event('v1') }), owned('Event/a', { ref: event('events.k8s.io/v1') }))
      .plan();
    expect(deleted).to.deep.equal([]);
  });

  it('is only what the generators named brought, where a command names some', () => {
    const { deleted } = scene()
      .wants('ConfigMap/a', wanted('ConfigMap/b', { generator: 'shop' }))
      .owns('ConfigMap/web-1', owned('ConfigMap/shop-1', { generator: 'shop' }))
      .only('web')
      .plan();
    expect(deleted).to.deep.equal(['ConfigMap/web-1']);
  });

  it('is deleted with the uid of the object that was seen', () => {
    const writes = scene().wants('ConfigMap/a').owns('ConfigMap/b').writes();
    expect(writes.map((write) => write.action === 'delete' && write.owned.uid)).to.deep.equal([
      'uid-ConfigMap/b',
    ]);
  });
});
