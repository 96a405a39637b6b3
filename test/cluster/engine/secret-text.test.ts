import { expect } from 'chai';

import { valueAt } from '../../../src/model/json.ts';
import { sharedControlPlane } from '../../harness/control-plane.ts';
import {
  actionsOf,
  driftOf,
  eventually,
  type Outsider,
  outsider,
  startTestFleet,
  type TestFleet,
} from '../../harness/fleet.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const manifest = (namespace: string): string => `
{apiVersion: v1, kind: Namespace, metadata: {name: ${namespace}}}
---
apiVersion: v1
kind: Secret
metadata: {name: login, namespace: ${namespace}}
stringData: {password: from-git}
`;

describe('a Secret that Git writes as text', () => {
  let fleet: TestFleet;
  let someone: Outsider;
  const path = (): string => `/api/v1/namespaces/${fleet.namespace}/secrets/login`;
  const password = async (): Promise<unknown> => valueAt(await someone.get(path()), 'data', 'password');

  before(async () => {
    const controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane }],
      files: (namespace) => ({ 'clusters/tokyo/all.yaml': manifest(namespace) }),
    });
  });

  after(async () => {
    await fleet.close();
    await someone.close();
  });

  it('is stored as the server stores it, and not written twice', async () => {
    await fleet.sync();
    expect(await password()).to.equal(base64('from-git'));
    expect(actionsOf(await fleet.sync())).to.deep.equal([]);
  });

  it('is put right after an edit of its data or of its text', async () => {
    const engine = fleet.start();
    await engine.settled();
    for (const edit of [{ data: { password: base64('by-hand') } }, { stringData: { password: 'by-hand' } }]) {
      await someone.patch(path(), edit);
      await eventually(
        async () => ((await password()) === base64('from-git') ? true : undefined),
        'it is put right',
      );
    }
    const drift = await eventually(() => driftOf(engine.drift(), 'login'), 'it is listed');
    expect(drift.action).to.equal('corrected');
    expect(drift.fields.map((field) => field.path)).to.deep.equal(['.data.password']);
  });
});
