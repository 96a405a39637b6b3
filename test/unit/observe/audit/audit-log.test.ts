import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

import { AuditLog } from '../../../../src/observe/audit/audit-log.ts';
import { placesAround } from '../../../../src/observe/audit/places-around.ts';
import { auditLine, type Said } from './audit-lines.ts';

const web = { group: '', resource: 'configmaps', namespace: 'shop', name: 'web' };
const isWanted = placesAround([web]);
const signal = AbortSignal.timeout(60_000);

describe('an audit log', () => {
  let dir: string;
  let path: string;
  let log: AuditLog;

  const append = (...events: readonly Said[]): Promise<void> =>
    appendFile(path, events.map((said) => `${auditLine(said)}\n`).join(''));
  const deleters = (): string[] =>
    log.index.deletionsOf(web, { recreated: false }).map(({ requester }) => requester.user);

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'fleetwright-audit-'));
    path = join(dir, 'audit.jsonl');
    log = new AuditLog(path);
  });

  afterEach(async () => {
    await log.close();
    await rm(dir, { recursive: true });
  });

  it('tells of the objects that are wanted, of their collections and namespaces, and of no others', async () => {
    await append(
      { user: 'a' },
      { object: 'configmaps/shop/other' },
      { object: 'namespaces/shop/shop', isGone: false, user: 'b' },
      { object: 'namespaces/other/other', isGone: false },
    );
    await log.look(isWanted, signal);
    expect(deleters()).to.deep.equal(['a']);
    const lastOf = (name: string, resource = 'namespaces'): number =>
      log.index.lastDeletionsOf({
        group: '',
        resource,
        namespace: resource === 'namespaces' ? '' : 'shop',
        name,
      }).length;
    expect([lastOf('shop'), lastOf('other'), lastOf('other', 'configmaps')]).to.deep.equal([1, 0, 0]);
    expect(log.fault).to.equal(undefined);
  });

  it('waits a moment for a line that lags', async () => {
    await append({ verb: 'get' });
    const answered = log.lookFor(() => deleters().length > 0, { isWanted, signal });
    await append({ user: 'jane' });
    await answered;
    expect(deleters()).to.deep.equal(['jane']);
  });

  it('gives up soon, and after a wait in vain only looks, until an answer comes in time again', async () => {
    await append({ verb: 'get' });
    const looks = async (answerAt: number): Promise<number> => {
      let asked = 0;
      await log.lookFor(() => (asked += 1) > answerAt, { isWanted, signal });
      return asked;
    };
    expect(await looks(Number.POSITIVE_INFINITY)).to.equal(6);
    expect(await looks(Number.POSITIVE_INFINITY)).to.equal(1);
    expect(await looks(0)).to.equal(1);
    expect(await looks(2)).to.equal(3);
  });

  it('makes a missing file a fault that names it and what to do, until it is there', async () => {
    const expected =
      `the audit log ${path} does not exist, so it cannot be told who deleted an object, nor which user edited one; ` +
      'mend spec.audit.path of the cluster, or start its API server with --audit-log-path and --audit-policy-file';
    await log.check(signal);
    expect(log.fault).to.equal(expected);
    await log.lookFor(() => false, { isWanted, signal });
    expect(log.fault).to.equal(expected);
    await append({});
    await log.check(signal);
    expect(log.fault).to.equal(undefined);
    await log.look(isWanted, signal);
    expect(deleters()).to.have.length(1);
  });

  it('makes a folder in its place a fault', async () => {
    log = new AuditLog(dir);
    await log.check(signal);
    expect(log.fault).to.match(/ is no file, so /);
    await log.look(isWanted, signal);
    expect(log.fault).to.match(/ is no file, so /);
  });

  it('makes a file of something else a fault, and a broken line among events none', async () => {
    await writeFile(path, 'I1130 12:00:00 starting\n');
    await log.look(isWanted, signal);
    expect(log.fault).to.match(/ holds no audit events .*--audit-log-format=json/);
    await append({ user: 'jane' });
    await appendFile(path, '{"broken\n');
    await log.look(isWanted, signal);
    expect(log.fault).to.equal(undefined);
    expect(deleters()).to.deep.equal(['jane']);
  });

  it('ends at once when it is called off', async () => {
    await append({});
    await log.lookFor(() => false, { isWanted, signal: AbortSignal.abort() });
    expect(log.fault).to.equal(undefined);
  });
});
