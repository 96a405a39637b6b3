import { expect } from 'chai';

import type { DesiredObject, GeneratorInfo } from '../../../src/model/desired.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import type { Scope } from '../../../src/plan/definitions.ts';
import { type Preparation, prepareObjects } from '../../../src/plan/prepare-objects.ts';
import { isClusterScoped, refOf, wanted } from './objects.ts';

interface Options {
  readonly scopeOf?: (apiVersion: string, kind: string) => Scope | undefined;
  readonly generators?: readonly GeneratorInfo[];
}

function prepare(objects: readonly DesiredObject[], options: Options = {}): Preparation {
  const desired = {
    cluster: 'berlin',
    revision: 'r1',
    objects,
    generators: new Map((options.generators ?? []).map((generator) => [generator.name, generator])),
    faults: [],
    labels: {},
    warnings: [],
  };
  return prepareObjects(desired, {
    applySetId: 'applyset-ours-v1',
    driftPolicy: 'correct',
    scopeOf:
      options.scopeOf ??
      ((apiVersion, kind) => (isClusterScoped({ apiVersion, kind }) ? 'cluster' : 'namespaced')),
  });
}

/** An object whose manifest names this namespace, or none. */
function inNamespace(name: string, namespace: string, defaultNamespace = ''): DesiredObject {
  const ref = { ...refOf(name), namespace };
  return { ...wanted(name, { ref }), defaultNamespace };
}

describe('preparing objects to be sent', () => {
  it('puts our label and annotations beside those of Git, and nothing else', () => {
    const manifest: JsonObject = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', labels: { app: 'web' }, annotations: { team: 'x' }, namespace: 'shop' },
      data: { a: '1' },
    };
    const before = structuredClone(manifest);
    const { objects } = prepare([{ ...wanted('ConfigMap/a'), manifest }]);
    expect(objects[0]?.body).to.deep.equal({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'a',
        namespace: 'shop',
        labels: { app: 'web', 'applyset.kubernetes.io/part-of': 'applyset-ours-v1' },
        annotations: {
          team: 'x',
          'fleetwright.dev/generator': 'web',
          'fleetwright.dev/desired-hash': objects[0]?.hash,
        },
      },
      data: { a: '1' },
    });
    expect(manifest).to.deep.equal(before);
  });

  it('sends the text of a Secret the way it is stored, so that its ownership can be told', () => {
    const manifest: JsonObject = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'a' },
      data: { a: 'b2xk', b: 'a2VwdA==' },
      stringData: { a: 'new', 'c.txt': 'ä' },
    };
    const before = structuredClone(manifest);
    const { objects } = prepare([{ ...wanted('Secret/a'), manifest }]);
    expect(objects[0]?.body).not.to.have.property('stringData');
    expect(objects[0]?.body['data']).to.deep.equal({ a: 'bmV3', b: 'a2VwdA==', 'c.txt': 'w6Q=' });
    expect(manifest).to.deep.equal(before);
  });

  it('sends values untouched, unknown fields included (invariant 11)', () => {
    const spec = { from: [], unknown: { 'x-kubernetes-preserve-unknown-fields': true }, n: 9007199254740991 };
    const { objects } = prepare([wanted('Deployment/a', { spec })]);
    expect(objects[0]?.body['spec']).to.deep.equal(spec);
  });

  for (const [name, stated, fallback, namespace] of [
    ['ConfigMap/a', 'shop', 'web', 'shop'],
    ['ConfigMap/a', '', 'web', 'web'],
    ['ConfigMap/a', '', '', 'default'],
    ['Namespace/a', '', 'web', ''],
    ['ClusterRole/a', 'shop', 'web', ''],
  ] as const) {
    it(`has ${name} in '${namespace}' where it states '${stated}' and its generator '${fallback}'`, () => {
      const { objects } = prepare([inNamespace(name, stated, fallback)]);
      expect(objects[0]?.ref.namespace).to.equal(namespace);
      const metadata = objects[0]?.body['metadata'] as JsonObject;
      expect(metadata['namespace']).to.equal(namespace === '' ? undefined : namespace);
    });
  }

  it('fails both of two that turn out to be one, naming both places (invariant 10)', () => {
    const {
      objects,
      failures,
      wanted: keys,
    } = prepare([
      inNamespace('ConfigMap/a', ''),
      {
        ...inNamespace('ConfigMap/a', 'default'),
        origin: { ...wanted('x').origin, file: 'b.yaml', line: 9 },
      },
      inNamespace('ConfigMap/b', ''),
    ]);
    expect(objects.map(({ key }) => key)).to.deep.equal(['ConfigMap/default/b']);
    expect(failures.map(({ reason }) => reason)).to.deep.equal(
      Array(2).fill('ConfigMap/a in default is defined more than once: apps/web.yaml:1 and b.yaml:9'),
    );
    expect(keys).to.include('ConfigMap/default/a');
  });

  it('takes two versions of one object for one', () => {
    const older = { ...refOf('Widget/a'), apiVersion: 'example.com/v1alpha1' };
    expect(prepare([wanted('Widget/a'), wanted('Widget/a', { ref: older })]).failures).to.have.length(2);
  });

  it('fails a kind that the cluster does not serve, and the others not', () => {
    const {
      objects,
      failures,
      wanted: keys,
    } = prepare([inNamespace('Widget/a', '', 'web'), wanted('ConfigMap/b')], {
      scopeOf: (_apiVersion, kind) => (kind === 'Widget' ? undefined : 'namespaced'),
    });
    expect(objects.map(({ key }) => key)).to.deep.equal(['ConfigMap/shop/b']);
    expect(failures).to.have.length(1);
    expect(failures[0]).to.deep.include({
      action: 'failed',
      reason: 'the cluster serves no Widget in example.com/v1',
    });
    expect(failures[0]?.action === 'failed' && failures[0].error.code).to.equal('KindUnknown');
    expect([...keys].sort()).to.deep.equal([
      'ConfigMap/shop/b',
      'Widget.example.com//a',
      'Widget.example.com/web/a',
    ]);
  });

  it('hashes what Git wants, not what we put on it', () => {
    const one = prepare([wanted('ConfigMap/a')]).objects[0];
    const moved = prepare([wanted('ConfigMap/a', { generator: 'shop', file: 'x.yaml' })]).objects[0];
    const other = prepare([wanted('ConfigMap/a', { annotations: { team: 'x' } })]).objects[0];
    expect(moved?.hash).to.equal(one?.hash);
    expect(other?.hash).to.not.equal(one?.hash);
  });

  it('takes the policy for drift from the object, else from its generator, else from the fleet', () => {
    const generators = [{ name: 'web', state: 'rendered', sync: { drift: 'report' } }] as const;
    const policy = (annotation: string | undefined, from: readonly GeneratorInfo[] = []): unknown =>
      prepare(
        [
          wanted('ConfigMap/a', {
            ...(annotation === undefined ? {} : { annotations: { 'fleetwright.dev/drift': annotation } }),
          }),
        ],
        { generators: from },
      ).objects[0]?.drift;
    expect(policy('ignore', generators)).to.equal('ignore');
    expect(policy(undefined, generators)).to.equal('report');
    expect(policy(undefined)).to.equal('correct');
    expect(policy('nonsense', generators)).to.equal('report');
  });

  it('is told to adopt by the word true alone', () => {
    const adopt = (value: string): unknown =>
      prepare([wanted('ConfigMap/a', { annotations: { 'fleetwright.dev/adopt': value } })]).objects[0]?.adopt;
    expect([adopt('true'), adopt('false'), adopt('yes')]).to.deep.equal([true, false, false]);
  });
});
