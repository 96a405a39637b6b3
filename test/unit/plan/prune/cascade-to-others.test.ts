import { expect } from 'chai';

import { FleetError } from '../../../../src/model/fleet-error.ts';
import { owned, refOf } from '../objects.ts';
import { scene } from './scene.ts';

describe('deleting what holds other objects (invariant 4)', () => {
  it('is held while a Namespace holds something that nobody asked to delete, and names it', () => {
    const { deleted, kept } = scene()
      .wants('ConfigMap/new')
      .owns('Namespace/shop')
      .holds('Namespace/shop', [refOf('Secret/mine'), refOf('ConfigMap/theirs')])
      .plan();
    expect(deleted).to.deep.equal([]);
    expect(kept['Namespace/shop']).to.equal(
      'held: deleting it would also delete 2 objects that are not part of this removal: ConfigMap/theirs in shop, Secret/mine in shop',
    );
  });

  it('names five and counts the rest', () => {
    const contents = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => refOf(`Secret/${name}`));
    const { kept } = scene()
      .wants('ConfigMap/new')
      .owns('Namespace/shop')
      .holds('Namespace/shop', contents)
      .plan();
    expect(kept['Namespace/shop']).to.match(/also delete 7 objects .*Secret\/e in shop and 2 more$/);
  });

  it('goes with its contents where all of them leave in their own right', () => {
    const { deleted } = scene()
      .wants('ConfigMap/new')
      .owns('Namespace/shop', 'ConfigMap/a')
      .holds('Namespace/shop', [refOf('ConfigMap/a')])
      .plan();
    expect(deleted).to.deep.equal(['ConfigMap/a', 'Namespace/shop']);
  });

  it('is held for what opted out in it, and for what Git still has in it', () => {
    const { deleted, kept } = scene()
      .wants('ConfigMap/stays')
      .owns('Namespace/shop', owned('ConfigMap/a', { pruneDisabled: true }), 'ConfigMap/stays')
      .holds('Namespace/shop', [refOf('ConfigMap/a'), refOf('ConfigMap/stays')])
      .plan();
    expect(deleted).to.deep.equal([]);
    expect(kept['Namespace/shop']).to.contain('ConfigMap/a in shop, ConfigMap/stays in shop');
  });

  it('is skipped while its contents cannot be read, or were not looked at', () => {
    const unreadable = new FleetError('Forbidden', 'secrets cannot be listed');
    const cluster = scene()
      .wants('ConfigMap/new')
      .owns('Namespace/shop', 'CustomResourceDefinition/widgets.example.com')
      .holds('Namespace/shop', unreadable);
    expect(cluster.plan()).to.deep.equal({
      deleted: [],
      kept: {
        'Namespace/shop': 'skipped: what it holds could not be read: secrets cannot be listed',
        'CustomResourceDefinition/widgets.example.com': 'skipped: it is not known what it holds',
      },
      holds: {},
    });
  });

  it('is asked for a definition with custom resources of others', () => {
    const { kept } = scene()
      .wants('ConfigMap/new')
      .owns('CustomResourceDefinition/widgets.example.com')
      .holds('CustomResourceDefinition/widgets.example.com', [refOf('Widget/theirs')])
      .plan();
    expect(kept['CustomResourceDefinition/widgets.example.com']).to.contain(
      'an object that is not part of this removal: Widget/theirs in shop',
    );
  });

  it('is approved for just the contents that were shown', () => {
    const cluster = (...contents: string[]): ReturnType<typeof scene> =>
      scene()
        .wants('ConfigMap/new')
        .owns('Namespace/shop')
        .holds(
          'Namespace/shop',
          contents.map((name) => refOf(name)),
        );
    const id = cluster('Secret/a').plan().holds['Namespace/shop'] ?? '';
    expect(cluster('Secret/a').approve(id).plan().deleted).to.deep.equal(['Namespace/shop']);
    expect(cluster('Secret/a', 'Secret/b').approve(id).plan().deleted).to.deep.equal([]);
  });

  it('is asked anew after another hold of the same object was approved', () => {
    const emptied = scene()
      .generator('web')
      .owns('Namespace/shop', 'ConfigMap/a')
      .holds('Namespace/shop', [refOf('ConfigMap/a'), refOf('Secret/theirs')]);
    const first = emptied.plan();
    expect(first.kept['Namespace/shop']).to.contain('gives nothing any more');
    const second = emptied.approve(first.holds['Namespace/shop'] ?? '').plan();
    expect(second.deleted).to.deep.equal(['ConfigMap/a']);
    expect(second.kept['Namespace/shop']).to.contain('Secret/theirs in shop');
    const third = emptied.approve(second.holds['Namespace/shop'] ?? '').plan();
    expect(third.deleted).to.deep.equal(['ConfigMap/a', 'Namespace/shop']);
  });
});
