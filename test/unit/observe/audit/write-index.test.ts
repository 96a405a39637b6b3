import { expect } from 'chai';

import { type AuditedWrite, parseAuditLine } from '../../../../src/observe/audit/audit-event.ts';
import { WriteIndex } from '../../../../src/observe/audit/write-index.ts';
import { auditLine, type Said } from './audit-lines.ts';

const web = { group: '', resource: 'configmaps', namespace: 'shop', name: 'web' };

function indexOf(...events: readonly Said[]): WriteIndex {
  const index = new WriteIndex();
  for (const said of events) take(index, said);
  return index;
}

function take(index: WriteIndex, said: Said): void {
  const line = parseAuditLine(auditLine(said));
  if (line.kind !== 'write') throw new Error('a test says no write');
  index.take(line.write);
}

function users(writes: readonly AuditedWrite[]): string[] {
  return writes.map(({ requester }) => requester.user);
}

const ours = { verb: 'patch', code: 201, agent: 'fleetwright' } as const;

describe('the index of last writes', () => {
  it('knows who deleted an object that is gone', () => {
    const index = indexOf({ user: 'jane' });
    expect(users(index.deletionsOf(web, { recreated: false }))).to.deep.equal(['jane']);
    expect(users(index.deletionsOf({ ...web, name: 'other' }, { recreated: false }))).to.deep.equal([]);
    expect(users(index.deletionsOf({ ...web, group: 'apps' }, { recreated: false }))).to.deep.equal([]);
  });

  it('knows it still when the object has been created again', () => {
    const index = indexOf({ user: 'jane', at: 1 }, { ...ours, at: 2 });
    expect(users(index.deletionsOf(web, { recreated: true }))).to.deep.equal(['jane']);
    expect(users(index.deletionsOf(web, { recreated: false }))).to.deep.equal([]);
  });

  it('lets a deletion explain nothing that came in a later life', () => {
    const index = indexOf({ user: 'jane', at: 1 }, { ...ours, at: 2 }, { ...ours, at: 4 });
    expect(users(index.deletionsOf(web, { recreated: true }))).to.deep.equal([]);
  });

  it('tells each deletion once, also where creations are not in the log', () => {
    const index = indexOf({ user: 'jane', at: 1 });
    index.markTold(web, { recreated: true });
    expect(users(index.deletionsOf(web, { recreated: true }))).to.deep.equal([]);
    take(index, { user: 'bob', at: 3 });
    expect(users(index.deletionsOf(web, { recreated: true }))).to.deep.equal(['bob']);
  });

  it('takes the deletion of the whole collection for that of each object in it', () => {
    const index = indexOf({ verb: 'deletecollection', object: 'configmaps/shop/', user: 'jane', at: 1 });
    expect(users(index.deletionsOf(web, { recreated: false }))).to.deep.equal(['jane']);
    expect(users(index.deletionsOf({ ...web, namespace: 'other' }, { recreated: false }))).to.deep.equal([]);
    take(index, { ...ours, at: 2 });
    expect(users(index.deletionsOf(web, { recreated: true }))).to.deep.equal(['jane']);
    take(index, { verb: 'deletecollection', object: 'configmaps/shop/', user: 'jane', at: 3 });
    expect(users(index.deletionsOf(web, { recreated: false }))).to.deep.equal(['jane']);
  });

  it('lists all who had a part in a deletion that took its time, each once', () => {
    const slow = { isGone: false };
    const index = indexOf(
      { ...slow, user: 'jane', at: 1 },
      { ...slow, user: 'jane', at: 2 },
      { user: 'kubelet', at: 3 },
    );
    const deletions = index.deletionsOf(web, { recreated: false });
    expect(users(deletions)).to.deep.equal(['jane', 'kubelet']);
    expect(deletions[0]?.receivedAt).to.contain('12:00:01');
  });

  it('does not take a dry run, which looks the same, for the deletion that followed', () => {
    const index = indexOf({ user: 'careful', at: 1 }, { user: 'jane', at: 2 });
    expect(users(index.deletionsOf(web, { recreated: false }))).to.deep.equal(['jane']);
  });

  it('keeps the writes of others, and not ours', () => {
    const index = indexOf(
      { verb: 'create', user: 'jane', at: 1 },
      { verb: 'patch', agent: 'fleetwright', user: 'us', at: 2 },
      { verb: 'update', user: 'bob', at: 3 },
    );
    expect(users(index.writesTo(web))).to.deep.equal(['jane', 'bob']);
  });

  it('keeps few writes of one that writes all the time, and those of others with them', () => {
    const index = indexOf({ verb: 'patch', user: 'jane' });
    for (let at = 1; at < 100; at += 1)
      take(index, { verb: 'patch', agent: 'operator/1', user: 'operator', at });
    expect(users(index.writesTo(web))).to.deep.equal(['jane', ...Array<string>(4).fill('operator')]);
    for (let at = 1; at < 100; at += 1)
      take(index, { verb: 'patch', agent: `tool-${at}/1`, user: 'many', at });
    expect(index.writesTo(web)).to.have.length(16);
  });

  it('forgets what was not touched for longest', () => {
    const index = new WriteIndex(3);
    for (const name of ['a', 'b', 'c', 'a', 'd']) take(index, { object: `configmaps/shop/${name}` });
    const known = ['a', 'b', 'c', 'd'].filter(
      (name) => index.deletionsOf({ ...web, name }, { recreated: false }).length > 0,
    );
    expect(known).to.deep.equal(['a', 'c', 'd']);
  });

  it('takes nothing in for the creations of a first sync', () => {
    const index = new WriteIndex(1);
    take(index, { user: 'jane' });
    for (let at = 1; at < 50; at += 1) take(index, { ...ours, object: `configmaps/shop/new-${at}`, at });
    expect(users(index.deletionsOf(web, { recreated: false }))).to.deep.equal(['jane']);
  });
});
