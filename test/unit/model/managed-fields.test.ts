import { expect } from 'chai';

import type { JsonObject, JsonValue } from '../../../src/model/json.ts';
import {
  additionsOf,
  claims,
  managedFieldsOf,
  ownEntry,
  ownershipOf,
  type PathElement,
} from '../../../src/model/managed-fields.ts';

/** Entries of a ConfigMap as an API server of 1.36 answered them, after our apply. */
const ourEntry = {
  manager: 'fleetwright',
  operation: 'Apply',
  apiVersion: 'v1',
  time: '2026-11-30T21:15:02Z',
  fieldsType: 'FieldsV1',
  fieldsV1: {
    'f:data': { 'f:a': {}, 'f:b': {} },
    'f:metadata': {
      'f:annotations': { 'f:fleetwright.dev/generator': {} },
      'f:labels': { 'f:applyset.kubernetes.io/part-of': {} },
    },
  },
};

function object(...managedFields: readonly JsonObject[]): JsonObject {
  return { metadata: { managedFields: [...managedFields] } };
}

const fields = (...path: string[]): PathElement[] => path.map((field) => ({ field }));
const item = (value: JsonValue, index = 0): PathElement => ({ index, item: value });

describe('what our entry in managedFields tells, as seen on a real API server', () => {
  const asLeft = ownershipOf(object(ourEntry));
  const others = {
    manager: 'kubectl-edit',
    operation: 'Update',
    apiVersion: 'v1',
    time: '2026-11-30T21:16:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { 'f:a': {}, 'f:x': {} } },
  };
  const without = (key: string): JsonObject => {
    const { [`f:${key}`]: _taken, ...left } = ourEntry.fieldsV1['f:data'] as JsonObject;
    return { ...ourEntry, fieldsV1: { ...ourEntry.fieldsV1, 'f:data': left } };
  };

  it('stays the same while controllers write the status', () => {
    const status = {
      manager: 'kube-controller-manager',
      operation: 'Update',
      subresource: 'status',
      time: '2026-11-30T21:17:00Z',
      fieldsV1: { 'f:status': {} },
    };
    expect(ownershipOf(object(ourEntry, status))).to.equal(asLeft);
    expect(ownershipOf(object(status, ourEntry))).to.equal(asLeft);
  });

  it('differs once a field was changed, or deleted, by others', () => {
    expect(ownershipOf(object(without('a'), others))).to.not.equal(asLeft);
    expect(ownershipOf(object(without('b')))).to.not.equal(asLeft);
    expect(ownershipOf(object(without('a')))).to.not.equal(ownershipOf(object(without('b'))));
  });

  it('differs once somebody applied in our name: the same fields at another time', () => {
    expect(ownershipOf(object({ ...ourEntry, time: '2026-11-30T21:15:03Z' }))).to.not.equal(asLeft);
  });

  it('is empty once managedFields were cleared, or hold no entry of ours', () => {
    expect(ownershipOf(object({}))).to.equal('');
    expect(ownershipOf(object())).to.equal('');
    expect(ownershipOf(object(others))).to.equal('');
    expect(ownershipOf(object({ ...ourEntry, operation: 'Update' }))).to.equal('');
    expect(ownershipOf(object({ ...ourEntry, subresource: 'status' }))).to.equal('');
    expect(ownershipOf({})).to.equal('');
  });

  it('is found beside an update in our name', () => {
    const update = { ...ourEntry, operation: 'Update', time: 'x' };
    expect(ownEntry(managedFieldsOf(object(update, ourEntry)))?.time).to.equal('2026-11-30T21:15:02Z');
  });

  it('has additions of people’s tools apart, and of those alone', () => {
    expect(additionsOf(object(ourEntry))).to.equal('');
    const edited = additionsOf(object(ourEntry, others));
    expect(edited).to.not.equal('');
    expect(additionsOf(object(others, ourEntry))).to.equal(edited);
    const more = { ...others, fieldsV1: { 'f:data': { 'f:x': {}, 'f:y': {} } } };
    expect(additionsOf(object(ourEntry, more))).to.not.equal(edited);
    expect(additionsOf(object(ourEntry, { ...others, manager: 'kube-controller-manager' }))).to.equal('');
    expect(additionsOf(object(ourEntry, { ...others, subresource: 'status' }))).to.equal('');
  });

  it('is read with who, how and when; a write through scale has no time', () => {
    const scale = {
      manager: 'kubectl-scale',
      operation: 'Update',
      apiVersion: 'apps/v1',
      subresource: 'scale',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:replicas': {} } },
    };
    expect(managedFieldsOf(object(scale))).to.deep.equal([
      {
        manager: 'kubectl-scale',
        operation: 'Update',
        subresource: 'scale',
        fields: { 'f:spec': { 'f:replicas': {} } },
      },
    ]);
  });

  it('is nothing where the metadata is none that a server would send', () => {
    for (const broken of [
      null,
      7,
      {},
      { metadata: null },
      { metadata: { managedFields: 'x' } },
      object({ manager: '' }),
    ])
      expect(ownershipOf(broken)).to.equal('');
  });
});

describe('what a field set claims, in the forms of structured-merge-diff', () => {
  const set: JsonObject = {
    'f:metadata': { 'f:finalizers': { '.': {}, 'v:"example.com/a"': {}, 'v:7': {}, 'v:{"b":1,"a":2}': {} } },
    'f:spec': {
      'f:replicas': {},
      'f:selector': {},
      'f:containers': {
        'k:{"name":"web"}': {
          '.': {},
          'f:image': {},
          'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': {} },
        },
      },
      'f:args': { 'i:1': {} },
    },
    'f:data': { '.': {} },
  };

  const paths: readonly (readonly [readonly PathElement[], boolean])[] = [
    [fields('spec', 'replicas'), true],
    [fields('spec', 'paused'), false],
    [fields('status'), false],
    // A claim on a whole value covers what is in it.
    [fields('spec', 'selector', 'matchLabels', 'app'), true],
    // '.' claims that the map is there, not its content.
    [fields('data'), true],
    [fields('data', 'a'), false],
    [fields('spec'), true],
    [[...fields('spec', 'containers'), item({ name: 'web' }), ...fields('image')], true],
    [[...fields('spec', 'containers'), item({ name: 'web' }), ...fields('command')], false],
    [[...fields('spec', 'containers'), item({ name: 'proxy' }), ...fields('image')], false],
    [
      [
        ...fields('spec', 'containers'),
        item({ name: 'web', image: 'x' }),
        ...fields('ports'),
        item({ protocol: 'TCP', containerPort: 80, name: 'http' }),
        ...fields('name'),
      ],
      true,
    ],
    [
      [
        ...fields('spec', 'containers'),
        item({ name: 'web' }),
        ...fields('ports'),
        item({ containerPort: 80, protocol: 'UDP' }),
      ],
      false,
    ],
    [[...fields('metadata', 'finalizers'), item('example.com/a')], true],
    [[...fields('metadata', 'finalizers'), item('example.com/b')], false],
    [[...fields('metadata', 'finalizers'), item(7)], true],
    [[...fields('metadata', 'finalizers'), item('7')], false],
    [[...fields('metadata', 'finalizers'), item({ a: 2, b: 1 })], true],
    [[...fields('spec', 'args'), item('x', 1)], true],
    [[...fields('spec', 'args'), item('x', 0)], false],
  ];

  for (const [path, claimed] of paths) {
    it(`${claimed ? 'has' : 'has not'} ${JSON.stringify(path)}`, () => {
      expect(claims(set, path)).to.equal(claimed);
    });
  }

  it('has nothing where it is empty, or not to be read', () => {
    expect(claims({}, fields('spec'))).to.equal(false);
    expect(claims({ 'f:a': { 'k:{broken': {}, 'v:broken': {} } }, [{ field: 'a' }, item('broken')])).to.equal(
      false,
    );
    expect(claims({ 'f:a': 'x' }, fields('a', 'b'))).to.equal(false);
    expect(claims({ 'f:a': { 'v:broken': {} } }, [{ field: 'a' }, { index: 0, item: undefined }])).to.equal(
      false,
    );
  });

  it('has no key that every JavaScript object seems to have', () => {
    expect(claims({ 'f:a': { 'f:b': {} } }, fields('a', 'constructor'))).to.equal(false);
    expect(
      claims({ 'f:a': { 'k:{"constructor":"x"}': {} } }, [{ field: 'a' }, item({ name: 'x' })]),
    ).to.equal(false);
  });
});
