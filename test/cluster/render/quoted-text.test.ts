import { expect } from 'chai';

import { type JsonObject, valueAt } from '../../../src/model/json.ts';
import { sharedControlPlane } from '../../harness/control-plane.ts';
import { configMap, configMapPath, generatorFile, namespaceFile } from '../../harness/fleet-files.ts';
import { actionsOf, type Outsider, outsider, startTestFleet, type TestFleet } from '../../harness/fleet.ts';

/** Text that is something else to YAML where it is not quoted. */
const texts = {
  a: 'no',
  b: 'yes',
  c: '0400',
  d: '1e3',
  e: 'null',
  f: '2024-01-02',
  g: '~',
  h: '1_000',
  i: '0x1F',
  j: '',
};
const template = (namespace: string): string => `
apiVersion: v1
kind: ConfigMap
metadata: {name: template, namespace: ${namespace}}
data:
${Object.keys(texts)
  .map((key) => `  ${key}: "{{ params.${key} }}"\n`)
  .join('')}`;

describe('quoted text', () => {
  let fleet: TestFleet;
  let someone: Outsider;

  before(async () => {
    const controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    const override = (patch: JsonObject): JsonObject[] => [
      { clusterSelector: {}, patches: [{ target: { kind: 'ConfigMap' }, ...patch }] },
    ];
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane, labels: { answer: 'no' } }],
      files: (namespace) => ({
        'clusters/tokyo/own.yaml': namespaceFile(namespace),
        'clusters/tokyo/plain.yaml': configMap(namespace, 'plain', { data: texts }),
        'generators/template.yaml': generatorFile('template', {
          render: { type: 'template' },
          parameters: texts,
        }),
        'apps/template/a.yaml': template(namespace),
        'generators/merged.yaml': generatorFile('merged', {
          overrides: override({ merge: { data: texts } }),
        }),
        'apps/merged/a.yaml': configMap(namespace, 'merged', { data: {} }),
        'generators/patched.yaml': generatorFile('patched', {
          overrides: override({ json: [{ op: 'replace', path: '/data', value: texts }] }),
        }),
        'apps/patched/a.yaml': configMap(namespace, 'patched'),
        'generators/item.yaml': generatorFile('item', {
          render: { type: 'template' },
          each: { list: [texts] },
        }),
        'apps/item/a.yaml': template(namespace).replace('name: template', 'name: item'),
      }),
    });
  });

  after(async () => {
    await fleet.close();
    await someone.close();
  });

  it('stays text through plain files, templates, items, merge patches and JSON patches', async () => {
    const report = await fleet.sync();
    expect(report.clusters[0]!.errors).to.deep.equal([]);
    for (const name of ['plain', 'template', 'item', 'merged', 'patched']) {
      const live = await someone.get(configMapPath(fleet.namespace, name));
      expect(valueAt(live, 'data'), name).to.deep.equal(texts);
    }
  });

  it('is written once', async () => {
    expect(actionsOf(await fleet.sync())).to.deep.equal([]);
  });
});
