import { expect } from 'chai';

import type { JsonObject } from '../../../src/model/json.ts';
import { addedFields, fieldDifferences } from '../../../src/plan/field-differences.ts';
import { refOf } from './objects.ts';

const options = { ref: refOf('Deployment/web'), maskKey: 'key' };

interface Entry {
  readonly manager: string;
  readonly fields: JsonObject;
  readonly operation?: 'Apply';
  readonly time?: string;
  readonly subresource?: string;
}

/** An object whose fields these managers claim. */
function managed(object: JsonObject, ...entries: readonly Entry[]): JsonObject {
  const managedFields = entries.map(({ fields, operation = 'Update', ...entry }) => ({
    ...entry,
    operation,
    fieldsType: 'FieldsV1',
    fieldsV1: fields,
  }));
  return { ...object, metadata: { name: 'web', managedFields } };
}

const ours = (fields: JsonObject, time = '2026-05-01T12:00:00Z'): Entry => ({
  manager: 'fleetwright',
  operation: 'Apply',
  fields,
  time,
});

describe('who changed a field', () => {
  const by = (live: JsonObject, merged: JsonObject): string[][] =>
    fieldDifferences(live, { metadata: { name: 'web' }, ...merged }, options).map(({ path, changedBy }) => [
      path,
      ...changedBy.map(({ manager, subresource }) =>
        subresource === undefined ? manager : `${manager}/${subresource}`,
      ),
    ]);

  it('is whoever claims it now', () => {
    const live = managed(
      { spec: { replicas: 5, paused: true } },
      ours({ 'f:spec': { 'f:other': {} } }),
      { manager: 'kubectl-scale', subresource: 'scale', fields: { 'f:spec': { 'f:replicas': {} } } },
      { manager: 'kubectl-edit', time: '2026-05-01T13:00:00Z', fields: { 'f:spec': { 'f:paused': {} } } },
    );
    expect(by(live, { spec: { replicas: 2, paused: false } })).to.deep.equal([
      ['.spec.replicas', 'kubectl-scale/scale'],
      ['.spec.paused', 'kubectl-edit'],
    ]);
  });

  it('is told with operation and time', () => {
    const edit = {
      manager: 'kubectl-edit',
      time: '2026-05-01T13:00:00Z',
      fields: { 'f:data': { 'f:a': {} } },
    };
    const [field] = fieldDifferences(
      managed({ data: { a: '2' } }, ours({}), edit),
      { data: { a: '1' } },
      options,
    );
    expect(field).to.deep.equal({
      path: '.data.a',
      desired: '1',
      live: '2',
      changedBy: [{ manager: 'kubectl-edit', operation: 'Update', time: '2026-05-01T13:00:00Z' }],
    });
  });

  it('is whoever wrote after us where the field is gone and nobody claims it', () => {
    const live = managed(
      { data: { a: '1' } },
      ours({ 'f:data': { 'f:a': {} } }),
      { manager: 'before', time: '2026-05-01T11:00:00Z', fields: { 'f:data': { 'f:x': {} } } },
      { manager: 'after', time: '2026-05-01T12:30:00Z', fields: { 'f:data': { 'f:y': {} } } },
      {
        manager: 'kube-controller-manager',
        time: '2026-05-01T12:40:00Z',
        subresource: 'status',
        fields: { 'f:status': {} },
      },
    );
    expect(by(live, { data: { a: '1', b: '2' } })).to.deep.equal([['.data.b', 'after']]);
  });

  it('is nobody where nobody can be told', () => {
    expect(by(managed({ data: {} }), { data: { a: '1' } })).to.deep.equal([['.data.a']]);
    expect(by(managed({ data: {} }, ours({})), { data: { a: '1' } })).to.deep.equal([['.data.a']]);
  });

  it('is found in items of lists by their keys', () => {
    const key = 'k:{"containerPort":80,"protocol":"TCP"}';
    const live = managed(
      { ports: [{ containerPort: 80, protocol: 'TCP', hostPort: 1 }] },
      ours({}),
      { manager: 'kubectl-edit', fields: { 'f:ports': { [key]: { '.': {}, 'f:hostPort': {} } } } },
      {
        manager: 'other',
        fields: { 'f:ports': { 'k:{"containerPort":80,"protocol":"UDP"}': { 'f:hostPort': {} } } },
      },
    );
    expect(by(live, { ports: [{ containerPort: 80, protocol: 'TCP', hostPort: 2 }] })).to.deep.equal([
      ['.ports[containerPort=80].hostPort', 'kubectl-edit'],
    ]);
  });

  it('is found where a manager claims a value as a whole', () => {
    const live = managed({ spec: { selector: { app: 'x' } } }, ours({}), {
      manager: 'kubectl-edit',
      fields: { 'f:spec': { 'f:selector': {} } },
    });
    expect(by(live, { spec: { selector: { app: 'web' } } })).to.deep.equal([
      ['.spec.selector.app', 'kubectl-edit'],
    ]);
  });
});

describe('what people added beside ours', () => {
  const added = (live: JsonObject): [string, unknown, string | undefined][] =>
    addedFields(live, options).map(({ path, live: value, changedBy: [who] }) => [path, value, who?.manager]);
  const edit = (fields: JsonObject): Entry => ({ manager: 'kubectl-edit', fields });

  it('is what their tools claim and we do not', () => {
    const live = managed(
      { data: { a: '1', x: '2' } },
      ours({ 'f:data': { 'f:a': {} } }),
      edit({ 'f:data': { 'f:a': {}, 'f:x': {} } }),
    );
    expect(added(live)).to.deep.equal([['.data.x', '2', 'kubectl-edit']]);
  });

  it('is not what controllers do, nor any status', () => {
    const live = managed(
      { data: { x: '1' }, status: { ready: true } },
      ours({}),
      { manager: 'kube-controller-manager', fields: { 'f:data': { 'f:x': {} } } },
      { manager: 'kubectl', subresource: 'status', fields: { 'f:status': { 'f:ready': {} } } },
    );
    expect(added(live)).to.deep.equal([]);
  });

  it('is not what their tools note for themselves', () => {
    const live = managed(
      {},
      ours({}),
      edit({
        'f:metadata': {
          'f:annotations': {
            '.': {},
            'f:kubectl.kubernetes.io/last-applied-configuration': {},
            'f:kubectl.kubernetes.io/restartedAt': {},
          },
        },
      }),
    );
    const metadata = {
      ...(live['metadata'] as JsonObject),
      annotations: {
        'kubectl.kubernetes.io/last-applied-configuration': '{}',
        'kubectl.kubernetes.io/restartedAt': 'now',
      },
    };
    expect(added({ ...live, metadata })).to.deep.equal([]);
  });

  it('is not what is no longer there', () => {
    expect(added(managed({ data: {} }, ours({}), edit({ 'f:data': { 'f:x': {} } })))).to.deep.equal([]);
  });

  it('is a field in an item of a list, or an item of a set', () => {
    const live = managed(
      { env: [{ name: 'A', value: '1' }], finalizers: ['example.com/a', 'example.com/b'] },
      ours({ 'f:finalizers': { 'v:"example.com/a"': {} } }),
      edit({
        'f:env': { 'k:{"name":"A"}': { '.': {}, 'f:value': {} } },
        'f:finalizers': { '.': {}, 'v:"example.com/a"': {}, 'v:"example.com/b"': {} },
      }),
    );
    expect(added(live)).to.deep.equal([
      ['.env[name=A].value', '1', 'kubectl-edit'],
      ['.finalizers[1]', 'example.com/b', 'kubectl-edit'],
    ]);
  });

  it('is not the content of a map of which they claim only that it is there', () => {
    const live = managed({ data: { password: 'of others' }, empty: {} }, ours({}), {
      ...edit({ 'f:data': { '.': {} }, 'f:empty': { '.': {} } }),
    });
    expect(added(live)).to.deep.equal([['.empty', {}, 'kubectl-edit']]);
  });

  it('is nothing where a field set cannot be read', () => {
    const live = managed(
      { env: [{ name: 'A' }] },
      ours({}),
      edit({ 'f:env': { 'k:{broken': { 'f:value': {} } } }),
    );
    expect(added(live)).to.deep.equal([]);
  });
});
