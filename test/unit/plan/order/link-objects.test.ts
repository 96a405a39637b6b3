import { expect } from 'chai';

import { dependsOnAnnotation } from '../../../../src/model/apply-set.ts';
import type { PreparedObject } from '../../../../src/model/plan.ts';
import { type LinkedObjects, linkObjects } from '../../../../src/plan/order/link-objects.ts';
import { prepareObject } from '../../../../src/plan/prepare-object.ts';
import { inStages } from '../../../../src/plan/stages.ts';
import { isClusterScoped, nameOf, refOf, wanted } from '../objects.ts';

/** An object that depends on others, each written as 'Kind/name' in the namespace shop. */
function prepared(name: string, ...dependencies: readonly string[]): PreparedObject {
  const text = dependencies.map(written).join(',');
  const object = wanted(
    name,
    dependencies.length === 0 ? {} : { annotations: { [dependsOnAnnotation]: text } },
  );
  const scope = isClusterScoped(object.ref) ? 'cluster' : 'namespaced';
  return prepareObject(object, { scope, applySetId: 'ours', driftPolicy: 'correct' });
}

function written(name: string): string {
  const { apiVersion, kind, namespace, name: objectName } = refOf(name);
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return namespace === ''
    ? `${group}/${kind}/${objectName}`
    : `${group}/namespaces/${namespace}/${kind}/${objectName}`;
}

function faults({ failures }: LinkedObjects): Record<string, string> {
  return Object.fromEntries(
    failures.map(({ object, error }) => [nameOf(object.ref), `${error.code}: ${error.message}`]),
  );
}

/** The names in each stage in which the objects are created. */
function stages(...objects: readonly PreparedObject[]): string[][] {
  const linked = linkObjects(objects).objects;
  return inStages(
    linked.map((object) => ({ action: 'create', object })),
    [],
  ).map((stage) => stage.map((write) => (write.action === 'delete' ? '' : nameOf(write.object.ref))));
}

describe('dependencies between objects', () => {
  it('put one behind what it names, whatever their kinds', () => {
    expect(stages(prepared('ConfigMap/late', 'Deployment/web'), prepared('Deployment/web'))).to.deep.equal([
      ['Deployment/web'],
      ['ConfigMap/late'],
    ]);
  });

  it('make chains of any length', () => {
    const chain = Array.from({ length: 300 }, (_, index) =>
      index === 0 ? prepared('ConfigMap/c-0') : prepared(`ConfigMap/c-${index}`, `ConfigMap/c-${index - 1}`),
    );
    const expected = chain.map(({ ref }) => [nameOf(ref)]);
    expect(stages(...chain.toReversed())).to.deep.equal(expected);
  });

  it('take along what lives in a Namespace that has to wait', () => {
    const other = { ...prepared('Deployment/first'), key: 'Deployment.apps/base/first' };
    const elsewhere = { ...other, ref: { ...other.ref, namespace: 'base' } };
    const namespace = wanted('Namespace/shop', {
      annotations: { [dependsOnAnnotation]: 'apps/namespaces/base/Deployment/first' },
    });
    const waiting = prepareObject(namespace, {
      scope: 'cluster',
      applySetId: 'ours',
      driftPolicy: 'correct',
    });
    expect(stages(prepared('ConfigMap/a'), waiting, elsewhere)).to.deep.equal([
      ['Deployment/first'],
      ['Namespace/shop'],
      ['ConfigMap/a'],
    ]);
  });

  it('leave objects without any as they are', () => {
    const objects = [prepared('ConfigMap/a'), prepared('ConfigMap/b')];
    expect(linkObjects(objects)).to.deep.equal({ objects, failures: [] });
  });

  it('on what Git does not give fail, with the name as it is written', () => {
    expect(faults(linkObjects([prepared('ConfigMap/a', 'ConfigMap/b')]))).to.deep.equal({
      'ConfigMap/a':
        'DependencyFailed: it depends on /namespaces/shop/ConfigMap/b, which Git does not give this cluster',
    });
  });

  it('in a circle fail with the way round; what hangs on it stays', () => {
    const linked = linkObjects([
      prepared('ConfigMap/a', 'ConfigMap/b'),
      prepared('ConfigMap/b', 'ConfigMap/a'),
      prepared('ConfigMap/c', 'ConfigMap/a'),
      prepared('ConfigMap/d'),
    ]);
    expect(faults(linked)['ConfigMap/a']).to.equal(
      'ManifestInvalid: its dependencies form a circle: ConfigMap/a in shop → ConfigMap/b in shop → ConfigMap/a in shop',
    );
    expect(linked.objects.map(({ ref }) => ref.name)).to.deep.equal(['c', 'd']);
  });

  it('of a Namespace on what lives in it are a circle', () => {
    const linked = linkObjects([prepared('Namespace/shop', 'ConfigMap/a'), prepared('ConfigMap/a')]);
    expect(Object.keys(faults(linked))).to.have.members(['Namespace/shop', 'ConfigMap/a']);
  });
});
