import { expect } from 'chai';

import { faultOfLabelValue } from '../../../src/config/schema/label-syntax.ts';
import { generatorAnnotation, partOfLabel } from '../../../src/model/apply-set.ts';
import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import { stringAt } from '../../../src/model/json.ts';
import { sharedControlPlane } from '../../harness/control-plane.ts';
import { configMap, configMapPath, generatorFile, namespaceFile } from '../../harness/fleet-files.ts';
import { actionsOf, type Outsider, outsider, startTestFleet, type TestFleet } from '../../harness/fleet.ts';

/** 63 characters, the last of which is no '-'; a tool that cuts at 62 ends with one, which no label may. */
const cluster = `${'c'.repeat(61)}-x`;
/** 253 characters with a '-' at position 63, and one that differs from it only at its end. */
const generators = ['1', '2'].map((end) => `${'g'.repeat(62)}-${'h'.repeat(189)}${end}`) as [string, string];
const value = `${'v'.repeat(61)}-y`;

describe('names and labels that are as long as they may be', () => {
  let controlPlane: ControlPlane;
  let someone: Outsider;
  let fleet: TestFleet;

  const metadata = async (name: string, field: string, key: string): Promise<string> =>
    stringAt(await someone.get(configMapPath(fleet.namespace, name)), 'metadata', field, key) ?? '';

  before(async () => {
    controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    fleet = await startTestFleet({
      clusters: [{ name: cluster, controlPlane, labels: { [`example.com/${'k'.repeat(63)}`]: value } }],
      files: (namespace) => ({
        'generators/one.yaml': generatorFile(generators[0], {
          source: { path: 'apps/one' },
          clusterSelector: { matchLabels: { [`example.com/${'k'.repeat(63)}`]: value } },
        }),
        'generators/two.yaml': generatorFile(generators[1], { source: { path: 'apps/two' } }),
        [`clusters/${cluster}/own.yaml`]: namespaceFile(namespace),
        'apps/one/a.yaml': configMap(namespace, 'one', { labels: { long: value } }),
        'apps/two/a.yaml': configMap(namespace, 'two'),
      }),
    });
  });

  after(async () => {
    await fleet.close();
    await someone.close();
  });

  it('give valid labels, and tell two generators apart that differ at the end alone', async () => {
    const report = await fleet.sync();
    expect(report.clusters[0]!.errors).to.deep.equal([]);
    expect(actionsOf(report)).to.deep.equal([
      'create ConfigMap/one',
      'create ConfigMap/two',
      `create Namespace/${fleet.namespace}`,
    ]);
    expect(faultOfLabelValue(await metadata('one', 'labels', partOfLabel))).to.equal(undefined);
    expect(await metadata('one', 'labels', 'long')).to.equal(value);
    expect(await metadata('one', 'annotations', generatorAnnotation)).to.equal(generators[0]);
    expect(await metadata('two', 'annotations', generatorAnnotation)).to.equal(generators[1]);
  });

  it('keep what they own, and prune only what is theirs', async () => {
    const label = await metadata('two', 'labels', partOfLabel);
    expect(actionsOf(await fleet.sync())).to.deep.equal([]);
    await fleet.repository.commit({ 'generators/one.yaml': null, 'apps/one/a.yaml': null });
    expect(actionsOf(await fleet.sync())).to.deep.equal(['delete ConfigMap/one']);
    expect(await metadata('two', 'labels', partOfLabel)).to.equal(label);
  });

  it('are refused with their place when they are longer, or end with what a label may not end with', async () => {
    const wrong = { long: `${'v'.repeat(63)}w`, cut: `${'v'.repeat(62)}-`, [`${'k'.repeat(62)}-`]: 'x' };
    await fleet.repository.commit({
      'apps/two/b.yaml': configMap(fleet.namespace, 'wrong', { labels: wrong }),
    });
    const report = await fleet.sync();
    expect(actionsOf(report)).to.deep.equal([]);
    const faults = report.clusters[0]!.errors;
    expect(faults.map(({ code, subject }) => [code, subject.origin?.file])).to.deep.equal(
      Object.keys(wrong).map(() => ['ManifestInvalid', 'apps/two/b.yaml']),
    );
  });
});
