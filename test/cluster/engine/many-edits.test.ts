import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'chai';

import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import { stringAt } from '../../../src/model/json.ts';
import { auditFromNow, requestsBy, writesBy } from '../../harness/audit.ts';
import { sharedControlPlane } from '../../harness/control-plane.ts';
import {
  eventually,
  type Outsider,
  outsider,
  startTestFleet,
  type TestEngine,
  type TestFleet,
} from '../../harness/fleet.ts';

const count = 60;
const fights = 20;

const manifests = (namespace: string): string =>
  [
    `{apiVersion: v1, kind: Namespace, metadata: {name: ${namespace}}}`,
    ...Array.from(
      { length: count },
      (_, index) =>
        `{apiVersion: v1, kind: ConfigMap, metadata: {name: n-${index}, namespace: ${namespace}}, data: {color: blue}}`,
    ),
  ].join('\n---\n');

describe('many edits', () => {
  let controlPlane: ControlPlane;
  let fleet: TestFleet;
  let engine: TestEngine;
  let someone: Outsider;
  const user = 'fleetwright-many-edits';

  const path = (index: number): string => `/api/v1/namespaces/${fleet.namespace}/configmaps/n-${index}`;
  const isBlue = async (index: number): Promise<boolean> =>
    stringAt(await someone.get(path(index)), 'data', 'color') === 'blue';

  before(async () => {
    controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    const kubeconfigPath = await controlPlane.issueClient(user, ['system:masters'], 3_600_000);
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane: { kubeconfigPath } }],
      files: (namespace) => ({ 'clusters/tokyo/all.yaml': manifests(namespace) }),
    });
    engine = fleet.start();
    await engine.settled();
  });

  after(async () => {
    await fleet.close();
    await someone.close();
  });

  it('of sixty objects at once are all taken back, with one read and one write each', async () => {
    const audit = await auditFromNow(controlPlane);
    const all = Array.from({ length: count }, (_, index) => index);
    await Promise.all(all.map((index) => someone.patch(path(index), { data: { color: `red-${index}` } })));
    await eventually(
      async () => ((await Promise.all(all.map(isBlue))).every(Boolean) ? true : undefined),
      'all are blue again',
    );
    await eventually(() => {
      const corrected = engine
        .drift()
        .clusters.flatMap(({ objects }) => objects)
        .map(({ ref }) => ref.name);
      return new Set(corrected).size === count ? true : undefined;
    }, 'all are listed');
    const events = await audit.events();
    expect(writesBy(events, user)).to.have.length(count);
    expect(requestsBy(events, user).filter(({ verb }) => verb !== 'watch')).to.have.length(2 * count);
  });

  it('of one object that fights back are answered once each, and end when the other gives up', async () => {
    const audit = await auditFromNow(controlPlane);
    for (let round = 0; round < fights; round += 1) {
      await someone.patch(path(0), { data: { color: `red-${round}` } });
      await sleep(50);
    }
    await eventually(async () => ((await isBlue(0)) ? true : undefined), 'blue at last');
    await engine.settled();
    const events = await audit.events();
    expect(writesBy(events, user).length).to.be.within(1, fights);
    expect(requestsBy(events, user).filter(({ verb }) => verb !== 'watch').length).to.be.at.most(2 * fights);
  });
});
