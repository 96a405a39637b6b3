import { expect } from 'chai';

import { stringAt } from '../../../src/model/json.ts';
import { sharedControlPlane } from '../../harness/control-plane.ts';
import { configMap, configMapPath, generatorFile, namespaceFile } from '../../harness/fleet-files.ts';
import {
  changeOf,
  countOf,
  type Outsider,
  outsider,
  startTestFleet,
  type TestFleet,
} from '../../harness/fleet.ts';

describe('objects that name what they depend on', () => {
  let someone: Outsider;
  let fleet: TestFleet;

  const dependant = (name: string, ...dependencies: readonly string[]): string =>
    configMap(fleet.namespace, name, {
      annotations: {
        'config.kubernetes.io/depends-on': dependencies
          .map((other) => `/namespaces/${fleet.namespace}/ConfigMap/${other}`)
          .join(','),
      },
    });
  /** The version in which an object was last written: of two, the later write has the higher one. */
  const versionOf = async (name: string): Promise<number> =>
    Number(stringAt(await someone.get(configMapPath(fleet.namespace, name)), 'metadata', 'resourceVersion'));
  const outcomes = async (): Promise<Record<string, string>> => {
    const { changes } = (await fleet.sync()).clusters[0]!;
    return Object.fromEntries(
      changes.map((change) => [
        change.ref.name,
        change.action === 'failed' ? change.error.code : change.action,
      ]),
    );
  };

  before(async () => {
    someone = await outsider(await sharedControlPlane());
  });

  beforeEach(async () => {
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane: await sharedControlPlane() }],
      files: (namespace) => ({
        'generators/web.yaml': generatorFile('web'),
        'apps/web/namespace.yaml': namespaceFile(namespace),
      }),
    });
  });

  afterEach(() => fleet.close());
  after(() => someone.close());

  it('are written behind it, and nothing is written the second time', async () => {
    await fleet.repository.commit({
      'apps/web/a.yaml': dependant('a', 'b'),
      'apps/web/b.yaml': dependant('b', 'c'),
      'apps/web/c.yaml': configMap(fleet.namespace, 'c'),
    });
    expect(countOf(await fleet.sync(), 'create')).to.equal(4);
    const written = await Promise.all(['c', 'b', 'a'].map(versionOf));
    expect(written).to.deep.equal(written.toSorted((a, b) => a - b));
    const again = await fleet.sync();
    expect(countOf(again, 'unchanged')).to.equal(4);
    expect(await Promise.all(['c', 'b', 'a'].map(versionOf))).to.deep.equal(written);
  });

  it('wait while it is refused, name it, and follow once it is mended', async () => {
    const refused = { annotations: { 'example.com/big': 'x'.repeat(300_000) } };
    await fleet.repository.commit({
      'apps/web/a.yaml': dependant('a', 'b'),
      'apps/web/b.yaml': dependant('b', 'c'),
      'apps/web/c.yaml': configMap(fleet.namespace, 'c', refused),
      'apps/web/d.yaml': configMap(fleet.namespace, 'd'),
    });
    const report = await fleet.sync();
    const blocked = changeOf(report, 'b');
    expect(blocked).to.deep.include({
      action: 'failed',
      reason: `it needs ConfigMap/c in ${fleet.namespace}, which is not as Git wants it`,
    });
    expect(await outcomes()).to.deep.include({
      a: 'DependencyFailed',
      b: 'DependencyFailed',
      c: 'ObjectInvalid',
      d: 'unchanged',
    });
    await fleet.repository.commit({ 'apps/web/c.yaml': configMap(fleet.namespace, 'c') });
    expect(await outcomes()).to.deep.include({ a: 'create', b: 'create', c: 'create' });
  });

  it('fail where they form a circle or name what Git does not give; the rest goes on', async () => {
    await fleet.repository.commit({
      'apps/web/a.yaml': dependant('a', 'b'),
      'apps/web/b.yaml': dependant('b', 'a'),
      'apps/web/c.yaml': dependant('c', 'nowhere'),
      'apps/web/d.yaml': configMap(fleet.namespace, 'd'),
    });
    expect(await outcomes()).to.deep.include({
      a: 'ManifestInvalid',
      b: 'ManifestInvalid',
      c: 'DependencyFailed',
      d: 'create',
    });
  });
});
