import { expect } from 'chai';

import type { FieldManager } from '../../../../src/model/field.ts';
import { type AuditedWrite, parseAuditLine } from '../../../../src/observe/audit/audit-event.ts';
import { deletersOf, withRequester } from '../../../../src/observe/audit/who-wrote.ts';
import { WriteIndex } from '../../../../src/observe/audit/write-index.ts';
import { auditLine, type Said, timeAt } from './audit-lines.ts';

const web = { group: '', resource: 'configmaps', namespace: 'shop', name: 'web' };

function writesOf(...events: readonly Said[]): AuditedWrite[] {
  return events.flatMap((said) => {
    const line = parseAuditLine(auditLine(said));
    return line.kind === 'write' ? [line.write] : [];
  });
}

function indexOf(...events: readonly Said[]): WriteIndex {
  const index = new WriteIndex();
  for (const write of writesOf(...events)) index.take(write);
  return index;
}

describe('who deleted an object', () => {
  it('is told as who writes fields is', () => {
    expect(deletersOf(indexOf({ at: 2 }), web, { recreated: false })).to.deep.equal([
      { manager: 'kubectl', operation: 'Delete', time: timeAt(2), user: 'jane', sourceIPs: ['10.0.0.7'] },
    ]);
  });

  it('is nobody where the log does not tell', () => {
    expect(deletersOf(indexOf(), web, { recreated: false })).to.deep.equal([]);
  });

  it('is first of all whoever deleted the namespace', () => {
    const controller = 'system:serviceaccount:kube-system:namespace-controller';
    const cleanUp = {
      verb: 'deletecollection',
      object: 'configmaps/shop/',
      user: controller,
      agent: `kube-controller-manager/v1.36.3 (linux/amd64) kubernetes/4cb5f07/${controller}`,
    };
    const index = indexOf({ object: 'namespaces/shop/shop', isGone: false, at: 1 }, { ...cleanUp, at: 6 });
    const found = deletersOf(index, web, { recreated: false });
    expect(found.map(({ manager, user, target }) => ({ manager, user, target }))).to.deep.equal([
      {
        manager: 'kubectl',
        user: 'jane',
        target: { apiVersion: 'v1', kind: 'Namespace', namespace: '', name: 'shop' },
      },
      { manager: 'kube-controller-manager', user: controller, target: undefined },
    ]);
  });

  it('is not whoever deleted the namespace at another time', () => {
    const index = indexOf({ object: 'namespaces/shop/shop', isGone: false, at: 1 }, { user: 'bob', at: 6 });
    expect(deletersOf(index, web, { recreated: false }).map(({ user }) => user)).to.deep.equal(['bob']);
  });
});

describe('the user behind a manager', () => {
  const edit = (said: Said): Said => ({ verb: 'patch', agent: 'kubectl-edit/1', ...said });
  const manager: FieldManager = {
    manager: 'kubectl-edit',
    operation: 'Update',
    time: '2026-11-30T12:00:05Z',
  };
  const userOf = (who: FieldManager, ...events: readonly Said[]): string | undefined =>
    withRequester(who, writesOf(...events)).user;

  it('is the one whose write was at that time; managedFields count whole seconds', () => {
    const events = [edit({ at: 4.9 }), edit({ at: 5.7, user: 'bob' }), edit({ at: 6.1, user: 'eve' })];
    expect(withRequester(manager, writesOf(...events))).to.deep.equal({
      ...manager,
      user: 'bob',
      sourceIPs: ['10.0.0.7'],
    });
  });

  it('may have written at the very end of the second before', () => {
    expect(userOf(manager, edit({ at: 4.999, user: 'bob' }))).to.equal('bob');
  });

  it('is nobody where the log lacks that write: a wrong name would be worse than none', () => {
    expect(withRequester(manager, writesOf(edit({ at: 60 })))).to.equal(manager);
    expect(withRequester(manager, writesOf({ verb: 'patch', at: 5 }))).to.equal(manager);
    expect(withRequester(manager, writesOf(edit({ subresource: 'scale', at: 5 })))).to.equal(manager);
  });

  it('is the last one through a subresource, which has no time', () => {
    const scale: FieldManager = { manager: 'kubectl-edit', operation: 'Update', subresource: 'scale' };
    const events = [
      edit({ subresource: 'scale', at: 1 }),
      edit({ subresource: 'scale', user: 'bob', at: 2 }),
      edit({ user: 'eve', at: 3 }),
    ];
    expect(userOf(scale, ...events)).to.equal('bob');
  });
});
