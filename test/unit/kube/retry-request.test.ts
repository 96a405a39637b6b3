import { expect } from 'chai';
import type { KubeRequest } from '../../../src/kube/kube-client.ts';
import { waitBeforeRetry } from '../../../src/kube/retry-request.ts';
import { FleetError } from '../../../src/model/fleet-error.ts';

describe('waitBeforeRetry', () => {
  const { signal } = new AbortController();
  const requests: Readonly<Record<string, KubeRequest>> = {
    'a read': { method: 'GET', path: '/', signal },
    'a server-side apply': {
      method: 'PATCH',
      path: '/',
      contentType: 'application/apply-patch+yaml',
      signal,
    },
    'a delete of one uid': { method: 'DELETE', path: '/', body: { preconditions: { uid: 'u' } }, signal },
    'a delete of a name': { method: 'DELETE', path: '/', signal },
    'a merge patch': { method: 'PATCH', path: '/', contentType: 'application/merge-patch+json', signal },
    'a create': { method: 'POST', path: '/', signal },
    'a replacement': { method: 'PUT', path: '/', signal },
  };
  const repeated = (error: Error): string[] =>
    Object.keys(requests).filter(
      (name) => waitBeforeRetry(error, requests[name]!, { failures: 0, random: () => 0.5 }) !== undefined,
    );

  it('repeats after a lost connection what may be done twice', () => {
    const lost = new FleetError('ClusterUnreachable', 'lost');
    expect(repeated(lost)).to.deep.equal(['a read', 'a server-side apply', 'a delete of one uid']);
  });

  it('repeats everything that a full server did not begin', () => {
    expect(repeated(new FleetError('RateLimited', 'full'))).to.deep.equal(Object.keys(requests));
  });

  it('repeats nothing that was refused', () => {
    for (const code of [
      'ObjectInvalid',
      'Forbidden',
      'ApplyConflict',
      'ServerFailed',
      'DeadlineExceeded',
    ] as const) {
      expect(repeated(new FleetError(code, 'no'))).to.deep.equal([]);
    }
    expect(repeated(new Error('ours'))).to.deep.equal([]);
  });

  it('waits longer each time, and gives up after five tries', () => {
    const lost = new FleetError('ClusterUnreachable', 'lost');
    const waits = [0, 1, 2, 3, 4].map((failures) =>
      waitBeforeRetry(lost, requests['a read']!, { failures, random: () => 1 }),
    );
    expect(waits).to.deep.equal([200, 400, 800, 1_600, undefined]);
    const full = new FleetError('RateLimited', 'full', { retryAfterMs: 3_000 });
    expect(waitBeforeRetry(full, requests['a create']!, { failures: 0, random: () => 1 })).to.equal(3_200);
  });
});
