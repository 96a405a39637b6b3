import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeOldMirrors } from '../../../src/git/mirror/remove-old-mirrors.ts';
import { type Slot, takeSlot } from '../../../src/git/mirror/slot-lock.ts';

const dayMs = 24 * 60 * 60_000;

describe('removeOldMirrors', () => {
  let dir: string;
  const taken: Slot[] = [];

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'fleetwright-mirrors-'));
  });
  afterEach(async () => {
    for (const slot of taken.splice(0)) slot.release();
    await rm(dir, { recursive: true, force: true });
  });

  async function take(mirror: string): Promise<Slot> {
    const slot = await takeSlot(join(dir, mirror));
    await mkdir(join(slot.dir, '1.git'));
    return slot;
  }

  it('removes what nobody used for a week, with the folder that is empty then', async () => {
    const [first, second] = [await take('old-ref'), await take('old-ref')];
    first.release();
    second.release();
    removeOldMirrors(dir, Date.now() + 8 * dayMs);
    expect(existsSync(join(dir, 'old-ref'))).to.equal(false);
  });

  it('keeps what was used within the week', async () => {
    const slot = await take('ref');
    slot.release();
    removeOldMirrors(dir, Date.now() + 6 * dayMs);
    expect(existsSync(join(slot.dir, '1.git'))).to.equal(true);
  });

  it('keeps what is in use, however long already, and removes the slot beside it', async () => {
    const used = await take('ref');
    taken.push(used);
    const unused = await take('ref');
    unused.release();
    removeOldMirrors(dir, Date.now() + 100 * dayMs);
    expect(existsSync(join(used.dir, '1.git'))).to.equal(true);
    expect(existsSync(unused.dir)).to.equal(false);
  });

  it('leaves alone what is no mirror', async () => {
    await mkdir(join(dir, 'something', 'else'), { recursive: true });
    await writeFile(join(dir, 'note.txt'), 'mine');
    removeOldMirrors(dir, Date.now() + 100 * dayMs);
    expect(existsSync(join(dir, 'something', 'else'))).to.equal(true);
    expect(existsSync(join(dir, 'note.txt'))).to.equal(true);
  });
});
