import { expect } from 'chai';
import * as fc from 'fast-check';

import type { OwnedObject } from '../../../../src/model/observation.ts';
import { groupKindOf, refKey } from '../../../../src/model/object-ref.ts';
import { planCluster } from '../../../../src/plan/plan-cluster.ts';
import { ownedOf, randomFleet, type RandomFleet, readableFleet, sceneOf } from './random-fleet.ts';
import { outcomeOf, type Scene } from './scene.ts';

function deletions(cluster: Scene): OwnedObject[] {
  return cluster.writes().flatMap((write) => (write.action === 'delete' ? [write.owned] : []));
}

function forAll(fleets: fc.Arbitrary<RandomFleet>, holds: (fleet: RandomFleet) => void): void {
  fc.assert(fc.property(fleets, holds), { numRuns: 300 });
}

/** Every id under which anything is held, and what would be held once all of these are approved, and so on. */
function approveAll(cluster: Scene): Scene {
  for (let ids = idsOf(cluster); ids.length > 0; ids = idsOf(cluster)) cluster.approve(...ids);
  return cluster;
}

function idsOf(cluster: Scene): string[] {
  return [...new Set(Object.values(cluster.plan().holds))];
}

describe('pruning of any fleet', () => {
  it('deletes something now and then, or the properties would be empty', () => {
    const fleets = fc.sample(readableFleet, { numRuns: 200, seed: 7 });
    const pruned = fleets.filter((fleet) => deletions(sceneOf(fleet)).length > 0);
    const held = fleets.filter((fleet) => idsOf(sceneOf(fleet)).length > 0);
    expect(pruned.length).to.be.greaterThan(40);
    expect(held.length).to.be.greaterThan(40);
  });

  it('deletes nothing while there is any fault, whatever was approved (invariant 1)', () => {
    forAll(randomFleet, (fleet) => {
      const approved = idsOf(sceneOf({ ...fleet, hasFault: false }));
      expect(deletions(sceneOf({ ...fleet, hasFault: true }).approve(...approved))).to.deep.equal([]);
    });
  });

  it('deletes nothing of a kind that cannot be listed, whatever was approved (invariant 2)', () => {
    forAll(randomFleet, (fleet) => {
      const kinds = deletions(approveAll(sceneOf(fleet))).map(({ ref }) => groupKindOf(ref));
      expect(kinds.filter((kind) => fleet.unreadable.includes(kind))).to.deep.equal([]);
    });
  });

  it('deletes only what carries our label and is in no desired state, whatever was approved (invariant 3)', () => {
    forAll(readableFleet, (fleet) => {
      const cluster = approveAll(sceneOf(fleet));
      const owned = new Set(ownedOf(fleet).map(({ uid }) => uid));
      const inGit = new Set(cluster.input().desired.objects.map(({ ref }) => refKey(ref)));
      for (const { ref, uid } of deletions(cluster)) {
        expect(owned).to.include(uid);
        expect(inGit).to.not.include(refKey(ref));
      }
    });
  });

  it('deletes nothing that opted out or is on its way out, whatever was approved (invariant 3)', () => {
    forAll(readableFleet, (fleet) => {
      for (const { pruneDisabled, deleting } of deletions(approveAll(sceneOf(fleet))))
        expect({ pruneDisabled, deleting }).to.deep.equal({ pruneDisabled: false, deleting: false });
    });
  });

  it('deletes nothing beyond the limits without an approval (invariant 4)', () => {
    forAll(readableFleet, (fleet) => {
      const doomed = deletions(sceneOf(fleet));
      const owned = ownedOf(fleet);
      expect(exceeds(doomed, owned, fleet), 'in the cluster').to.equal(false);
      for (const [generator, objects] of Map.groupBy(doomed, (object) => object.generator)) {
        const all = owned.filter((object) => object.generator === generator);
        expect(exceeds(objects, all, fleet), `of ${generator}`).to.equal(false);
      }
    });
  });

  it('deletes no Namespace that holds objects of others, and no cluster directory, without an approval (invariant 4)', () => {
    forAll(readableFleet, (fleet) => {
      const cluster = sceneOf(fleet);
      const directory = cluster.input().desired.generators.get('clusters/berlin');
      for (const { ref, generator } of deletions(cluster)) {
        if (fleet.fullNamespaces) expect(ref.kind).to.not.equal('Namespace');
        if (directory === undefined) expect(generator).to.not.equal('clusters/berlin');
      }
    });
  });

  it('ends every hold by approvals, and deletes then what it would not keep for ever', () => {
    forAll(readableFleet, (fleet) => {
      const { kept, holds } = approveAll(sceneOf(fleet)).plan();
      expect(holds).to.deep.equal({});
      const keeping = Object.values(kept).map((reason) => reason.split(':')[0]);
      expect(keeping.filter((action) => action === 'held')).to.deep.equal([]);
    });
  });

  it('lets an approval release nothing but what was held under it', () => {
    forAll(readableFleet, (fleet) => {
      const before = sceneOf(fleet).plan();
      for (const id of new Set(Object.values(before.holds))) {
        const after = sceneOf(fleet).approve(id).plan();
        const released = after.deleted.filter((name) => !before.deleted.includes(name));
        for (const name of released) expect(before.holds[name]).to.equal(id);
      }
    });
  });
});

describe('the plan of any fleet', () => {
  it('does not depend on the order of anything', () => {
    forAll(randomFleet, (fleet) => {
      const plan = planCluster(sceneOf(fleet).input());
      const reversed = planCluster(sceneOf(fleet, (items) => [...items].reverse()).input());
      expect(reversed).to.deep.equal(plan);
    });
  });

  it('says of every object once what becomes of it', () => {
    forAll(randomFleet, (fleet) => {
      const { plan } = planCluster(sceneOf(fleet).creates().input());
      const said = [
        ...plan.settled.map(({ ref }) => ref),
        ...plan.stages
          .flat()
          .map((write) => (write.action === 'delete' ? write.owned.ref : write.object.ref)),
      ];
      const desired = sceneOf(fleet)
        .input()
        .desired.objects.map(({ ref }) => ref);
      const extras = sceneOf(fleet)
        .input()
        .owned.map(({ ref }) => ref);
      const expected = new Set([...desired, ...extras].map(refKey));
      expect(new Set(said.map(refKey))).to.deep.equal(expected);
      expect(said).to.have.length(expected.size);
    });
  });

  it('is the same each time', () => {
    forAll(randomFleet, (fleet) => {
      expect(outcomeOf(planCluster(sceneOf(fleet).input()))).to.deep.equal(sceneOf(fleet).plan());
    });
  });
});

/** The limits in other words than the planner’s; a share counts only of what Git lost while its generator still matches. */
function exceeds(doomed: readonly OwnedObject[], owned: readonly OwnedObject[], fleet: RandomFleet): boolean {
  const { count, percent, minimum } = fleet.limit;
  const generators = sceneOf(fleet).input().desired.generators;
  const partial = doomed.filter(({ generator }) => generators.get(generator)?.state === 'rendered').length;
  return (
    doomed.length > count || (partial > 0 && partial >= minimum && partial * 100 > percent * owned.length)
  );
}
