import { expect } from 'chai';

import { type FieldPattern, parseFieldPatterns } from '../../../src/model/field-pattern.ts';
import { handOverOf } from '../../../src/model/hand-over.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import { bodyOver, bodyWithout } from '../../../src/model/left-fields.ts';

function leaving(text: string): readonly FieldPattern[] {
  const parsed = parseFieldPatterns(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.patterns;
}

const body: JsonObject = {
  spec: {
    replicas: 3,
    containers: [
      { name: 'web', image: 'web:1', resources: { limits: { cpu: '1' } } },
      { name: 'log', image: 'log:1' },
    ],
  },
};
const liveSpec: JsonObject = {
  replicas: 7,
  containers: [
    { name: 'log', image: 'log:1' },
    { name: 'web', image: 'web:9', resources: { limits: { cpu: '2' } } },
  ],
};
const item = (fields: JsonObject): JsonObject => ({ '.': {}, 'f:name': {}, ...fields });

function liveWith(owned: JsonObject): JsonObject {
  const others = { manager: 'hpa', operation: 'Update', fieldsV1: { 'f:spec': { 'f:replicas': {} } } };
  const ours = { manager: 'fleetwright', operation: 'Apply', fieldsV1: { 'f:spec': owned } };
  return { metadata: { resourceVersion: '7', managedFields: [others, ours] }, spec: liveSpec };
}

/** Our field set after the patch. */
function kept(live: JsonObject, paths: string): unknown {
  const todo = handOverOf(live, { body, leaves: leaving(paths) });
  if (todo.kind !== 'patch') return todo.kind;
  const [entries, version] = todo.operations;
  expect(version).to.deep.equal({ op: 'replace', path: '/metadata/resourceVersion', value: '7' });
  const [others, ours] = entries?.['value'] as JsonObject[];
  expect(others).to.deep.equal(
    (live['metadata'] as JsonObject[] & JsonObject)['managedFields']?.[0 as never],
  );
  return (ours?.['fieldsV1'] as JsonObject)['f:spec'];
}

describe('handOverOf', () => {
  const webKey = 'k:{"name":"web"}';
  const logKey = 'k:{"name":"log"}';
  const all = (): JsonObject => ({
    'f:replicas': {},
    'f:containers': {
      [webKey]: item({ 'f:image': {}, 'f:resources': { 'f:limits': { '.': {}, 'f:cpu': {} } } }),
      [logKey]: item({ 'f:image': {} }),
    },
  });

  it('has nothing to do where the manifest leaves nothing, or nothing of it is ours', () => {
    expect(handOverOf(liveWith(all()), { body })).to.deep.equal({ kind: 'none' });
    expect(kept(liveWith({ 'f:paused': {} }), '.spec.replicas')).to.equal('none');
  });

  it('lets go of a value and of an item’s field, and of nothing else', () => {
    const { 'f:replicas': _replicas, ...rest } = all();
    expect(kept(liveWith(all()), '.spec.replicas')).to.deep.equal(rest);
    expect(kept(liveWith(all()), '.spec.containers[name=log].image')).to.deep.equal({
      ...all(),
      'f:containers': { ...(all()['f:containers'] as JsonObject), [logKey]: item({}) },
    });
  });

  it('lets go of a map of which nothing is left, so that it is not taken away with all in it', () => {
    expect(kept(liveWith(all()), '.spec.containers[*].resources.limits.*')).to.deep.equal({
      ...all(),
      'f:containers': {
        ...(all()['f:containers'] as JsonObject),
        [webKey]: item({ 'f:image': {} }),
      },
    });
  });

  it('names a field that the server takes only as a whole', () => {
    const todo = handOverOf(liveWith({ 'f:containers': {} }), {
      body,
      leaves: leaving('.spec.containers[name=web].image'),
    });
    expect(todo).to.deep.equal({ kind: 'indivisible', path: '.spec.containers' });
  });

  it('may leave such a field as a whole', () => {
    expect(kept(liveWith({ 'f:containers': {}, 'f:replicas': {} }), '.spec.containers')).to.deep.equal({
      'f:replicas': {},
    });
  });
});

describe('handOverOf an object that was applied in the old way', () => {
  const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
  const ours = { manager: 'fleetwright', operation: 'Apply', fieldsV1: { 'f:data': { 'f:a': {} } } };
  const old = (manager: string, data: JsonObject): JsonObject => ({
    manager,
    operation: 'Update',
    fieldsV1: {
      'f:data': { '.': {}, ...data },
      'f:metadata': { 'f:annotations': { '.': {}, [`f:${lastApplied}`]: {} } },
    },
  });
  const live = (...entries: readonly JsonObject[]): JsonObject => ({
    metadata: {
      resourceVersion: '7',
      annotations: { [lastApplied]: '{}' },
      managedFields: [...entries],
    },
    data: { a: '1', b: '2' },
  });
  const version = { op: 'replace', path: '/metadata/resourceVersion', value: '7' };
  const removal = {
    op: 'remove',
    path: '/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration',
  };
  const wish = { body: { data: { a: '1' } } };

  for (const manager of ['kubectl-client-side-apply', 'before-first-apply', 'kubectl-last-applied']) {
    it(`ends the part of ${manager}, and the copy that it keeps`, () => {
      expect(handOverOf(live(old(manager, { 'f:a': {} }), ours), wish)).to.deep.equal({
        kind: 'patch',
        lets: false,
        takesFrom: [manager],
        operations: [removal, { op: 'replace', path: '/metadata/managedFields', value: [ours] }, version],
      });
    });
  }

  it('leaves it what is not ours', () => {
    const both = old('kubectl-client-side-apply', { 'f:a': {}, 'f:b': {} });
    const rest = { ...both, fieldsV1: { 'f:data': { '.': {}, 'f:b': {} } } };
    const todo = handOverOf(live(both, ours), wish);
    expect(todo.kind === 'patch' && todo.operations[1]).to.deep.equal({
      op: 'replace',
      path: '/metadata/managedFields',
      value: [rest, ours],
    });
  });

  it('has nothing to do before the object is ours, and with any other manager', () => {
    expect(handOverOf(live(old('kubectl-client-side-apply', { 'f:a': {} })), wish).kind).to.equal('none');
    expect(handOverOf(live(old('kubectl-edit', { 'f:a': {} }), ours), wish).kind).to.equal('none');
    const { 'f:metadata': _metadata, ...own } = old('', { 'f:b': {} })['fieldsV1'] as JsonObject;
    const beside = { ...old('kubectl-client-side-apply', {}), fieldsV1: own };
    expect(handOverOf(live(beside, ours), wish).kind).to.equal('none');
  });
});

describe('bodyWithout', () => {
  it('leaves fields out, and maps that they were all of', () => {
    const leaves = leaving('.spec.replicas\n.spec.containers[*].resources.limits.cpu');
    expect(bodyWithout({ body, leaves })).to.deep.equal({
      spec: {
        containers: [
          { name: 'web', image: 'web:1' },
          { name: 'log', image: 'log:1' },
        ],
      },
    });
    expect(bodyWithout({ body })).to.equal(body);
  });
});

describe('bodyOver', () => {
  const leaves = leaving('.spec.replicas,.spec.containers[name=web].image');

  it('leaves the fields out where they are not ours', () => {
    expect(bodyOver({ body, leaves }, liveWith({ 'f:paused': {} }))).to.deep.equal(
      bodyWithout({ body, leaves }),
    );
  });

  it('sends them as they are live where they still are', () => {
    expect(bodyOver({ body, leaves }, liveWith({ 'f:replicas': {} }))).to.deep.equal({
      spec: {
        replicas: 7,
        containers: [
          { name: 'web', image: 'web:9', resources: { limits: { cpu: '1' } } },
          { name: 'log', image: 'log:1' },
        ],
      },
    });
  });
});
