import { expect } from 'chai';
import { ownershipOf } from '../../../src/model/managed-fields.ts';
import { reduceOwned } from '../../../src/observe/reduce-owned.ts';

describe('reduceOwned', () => {
  const as = { apiVersion: 'v1', kind: 'ConfigMap' };
  const ours = {
    manager: 'fleetwright',
    operation: 'Apply',
    time: '2026-01-01T00:00:00Z',
    fieldsV1: { 'f:data': { 'f:a': {} } },
  };

  it('keeps what tells whether an object is as we left it, and no more', () => {
    const object = {
      kind: 'PartialObjectMetadata',
      metadata: {
        namespace: 'shop',
        name: 'web',
        uid: 'u',
        resourceVersion: '7',
        deletionTimestamp: '2026-01-02T00:00:00Z',
        annotations: {
          'fleetwright.dev/generator': 'frontend',
          'fleetwright.dev/desired-hash': 'h',
          'fleetwright.dev/prune': 'disabled',
        },
        managedFields: [ours],
      },
    };
    expect(reduceOwned(object, as)).to.deep.equal({
      ref: { ...as, namespace: 'shop', name: 'web' },
      uid: 'u',
      resourceVersion: '7',
      generator: 'frontend',
      desiredHash: 'h',
      pruneDisabled: true,
      ownership: ownershipOf(object),
      additions: '',
      deleting: true,
      version: '7 2026-01-01T00:00:00Z',
    });
  });

  it('tells what the object says of its end, if anything', () => {
    const said = (deletion?: string): boolean | undefined => {
      const annotations = deletion === undefined ? {} : { 'fleetwright.dev/deletion': deletion };
      return reduceOwned({ metadata: { name: 'web', annotations } }, as).orphan;
    };
    expect([said(), said('orphan'), said('delete'), said('often')]).to.deep.equal([
      undefined,
      true,
      false,
      undefined,
    ]);
  });

  it('gives a version that moves with a write, and not with one of the status alone', () => {
    const at = (generation: number, resourceVersion: string, times: readonly string[]): string => {
      const managedFields = times.map((time, index) => ({
        manager: `m${index}`,
        operation: 'Update',
        time,
        ...(index === 0 ? {} : { subresource: 'status' }),
      }));
      return reduceOwned({ metadata: { name: 'web', generation, resourceVersion, managedFields } }, as)
        .version;
    };
    const before = at(1, '7', ['2026-01-01T00:00:00Z']);
    expect(at(1, '8', ['2026-01-01T00:00:00Z', '2026-01-01T00:00:09Z'])).to.equal(before);
    expect(at(2, '8', ['2026-01-01T00:00:00Z'])).not.to.equal(before);
    expect(at(1, '8', ['2026-01-01T00:00:01Z'])).not.to.equal(before);
  });

  it('takes whatever is missing for empty', () => {
    expect(reduceOwned({ metadata: { name: 'node' } }, { apiVersion: 'v1', kind: 'Node' })).to.deep.include({
      ref: { apiVersion: 'v1', kind: 'Node', namespace: '', name: 'node' },
      generator: '',
      desiredHash: '',
      ownership: '',
      pruneDisabled: false,
      deleting: false,
    });
  });
});
