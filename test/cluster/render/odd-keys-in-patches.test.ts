import { expect } from 'chai';

import { isJsonObject, valueAt } from '../../../src/model/json.ts';
import { compareText } from '../../../src/model/object-ref.ts';
import { sharedControlPlane } from '../../harness/control-plane.ts';
import { configMap, configMapPath, generatorFile, namespaceFile } from '../../harness/fleet-files.ts';
import { actionsOf, type Outsider, outsider, startTestFleet, type TestFleet } from '../../harness/fleet.ts';
import { defineOddities } from './corpus-fixture.ts';

/** Keys that are something else than keys to a careless JavaScript program. As YAML, since JSON.stringify drops none of them. */
const odd = `{"a": "1", "__proto__": "2", "constructor": "3", "prototype": "4", "hasOwnProperty": "5", "toString": "6", "b": "7"}`;
const patch = (target: string, merge: string): string => `{"target": ${target}, "merge": ${merge}}`;

describe('patches whose keys are odd', () => {
  let fleet: TestFleet;
  let someone: Outsider;

  const dataOf = async (name: string): Promise<string> =>
    JSON.stringify(valueAt(await someone.get(configMapPath(fleet.namespace, name)), 'data'));
  const specOf = async (name: string): Promise<string> =>
    JSON.stringify(
      valueAt(
        await someone.get(`/apis/oracle.example.com/v1/namespaces/${fleet.namespace}/oddities/${name}`),
        'spec',
      ),
    );

  before(async () => {
    const controlPlane = await sharedControlPlane();
    someone = await outsider(controlPlane);
    await defineOddities(someone);
    const patches = [
      patch('{"kind": "ConfigMap", "name": "empty"}', `{"data": ${odd}}`),
      patch(
        '{"kind": "ConfigMap", "name": "full"}',
        '{"data": {"constructor": null, "__proto__": null, "c": "8"}}',
      ),
      patch(
        '{"kind": "Oddity"}',
        `{"spec": {"deep": {"__proto__": {"x": ${odd}}, "constructor": {"prototype": {"polluted": true}}}}}`,
      ),
    ];
    const generator = generatorFile('odd').replace(
      '"clusterSelector":{}',
      `"clusterSelector":{},"overrides":[{"clusterSelector":{},"patches":[${patches.join(',')}]}]`,
    );
    fleet = await startTestFleet({
      clusters: [{ name: 'tokyo', controlPlane }],
      files: (namespace) => ({
        'generators/odd.yaml': generator,
        'apps/odd/namespace.yaml': namespaceFile(namespace),
        'apps/odd/empty.yaml': configMap(namespace, 'empty', { data: {} }),
        'apps/odd/full.yaml': configMap(namespace, 'full').replace('{"from":"git"}', odd),
        'apps/odd/oddity.yaml': `{"apiVersion": "oracle.example.com/v1", "kind": "Oddity", "metadata": {"name": "deep", "namespace": "${namespace}"}, "spec": {"deep": {"__proto__": {"y": 1}}}}`,
      }),
    });
  });

  after(async () => {
    await fleet.close();
    await someone.close();
  });

  it('keep every key, and take away what is null and nothing else', async () => {
    const report = await fleet.sync();
    expect(report.clusters[0]!.errors).to.deep.equal([]);
    expect(sorted(await dataOf('empty'))).to.equal(sorted(odd));
    expect(sorted(await dataOf('full'))).to.equal(
      sorted('{"a": "1", "prototype": "4", "hasOwnProperty": "5", "toString": "6", "b": "7", "c": "8"}'),
    );
    expect(sorted(await specOf('deep'))).to.equal(
      sorted(
        `{"deep": {"__proto__": {"x": ${odd}, "y": 1}, "constructor": {"prototype": {"polluted": true}}}}`,
      ),
    );
    expect('polluted' in {}).to.equal(false);
  });

  it('are quiet', async () => {
    expect(actionsOf(await fleet.sync())).to.deep.equal([]);
  });
});

/** A JSON text with its keys in order; compared as text, as assertions on objects do not see '__proto__'. */
function sorted(json: string): string {
  const write = (value: unknown): string =>
    isJsonObject(value)
      ? `{${Object.entries(value)
          .sort(([a], [b]) => compareText(a, b))
          .map(([key, item]) => `${JSON.stringify(key)}:${write(item)}`)
          .join(',')}}`
      : JSON.stringify(value);
  return write(JSON.parse(json));
}
