import { expect } from 'chai';
import { isExpired } from '../../../src/kube/status-error.ts';
import type { FleetError } from '../../../src/model/fleet-error.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import { parseWatchEvent } from '../../../src/observe/watch-event.ts';

const thrownBy = (line: JsonObject): FleetError => {
  try {
    parseWatchEvent(line);
  } catch (error) {
    return error as FleetError;
  }
  throw new Error('it was expected to throw');
};

describe('parseWatchEvent', () => {
  const object = { metadata: { name: 'a', resourceVersion: '5' } };

  it('reads changes and bookmarks', () => {
    expect(parseWatchEvent({ type: 'ADDED', object })).to.deep.equal({
      type: 'put',
      object,
      resourceVersion: '5',
    });
    expect(parseWatchEvent({ type: 'MODIFIED', object })).to.deep.equal({
      type: 'put',
      object,
      resourceVersion: '5',
    });
    expect(parseWatchEvent({ type: 'DELETED', object })).to.deep.equal({
      type: 'remove',
      object,
      resourceVersion: '5',
    });
    expect(parseWatchEvent({ type: 'BOOKMARK', object })).to.deep.equal({
      type: 'bookmark',
      resourceVersion: '5',
      initialEnd: false,
    });
    const end = { metadata: { resourceVersion: '6', annotations: { 'k8s.io/initial-events-end': 'true' } } };
    expect(parseWatchEvent({ type: 'BOOKMARK', object: end })).to.deep.equal({
      type: 'bookmark',
      resourceVersion: '6',
      initialEnd: true,
    });
  });

  it('throws an ERROR as the answer that it stands for', () => {
    const status = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' };
    expect(isExpired(thrownBy({ type: 'ERROR', object: status }))).to.equal(true);
    expect(
      thrownBy({
        type: 'ERROR',
        object: { kind: 'Status', code: 403, reason: 'Forbidden', message: 'User "u" cannot watch resource' },
      }).code,
    ).to.equal('Forbidden');
  });

  it('takes nothing else for an event', () => {
    for (const line of [{}, { type: 'ADDED' }, { type: 'OTHER', object }, { object }]) {
      expect(thrownBy(line).code).to.equal('ClusterUnreachable');
    }
  });
});
