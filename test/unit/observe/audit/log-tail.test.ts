import { appendFile, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import * as fc from 'fast-check';

import { LogTail, type TailLimits } from '../../../../src/observe/audit/log-tail.ts';

describe('following a log', () => {
  const signal = AbortSignal.timeout(60_000);
  let dir: string;
  let path: string;
  let tail: LogTail;

  const follow = (limits: Partial<TailLimits> = {}): LogTail => (tail = new LogTail(path, limits));
  const read = async (): Promise<string[]> => {
    const lines: string[] = [];
    await tail.read((line) => lines.push(line), signal);
    return lines;
  };

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'fleetwright-tail-'));
    path = join(dir, 'audit.jsonl');
    follow();
  });

  afterEach(async () => {
    await tail.close();
    await rm(dir, { recursive: true });
  });

  it('reads what is there, then only what is new', async () => {
    await writeFile(path, 'a\nb\n');
    expect(await read()).to.deep.equal(['a', 'b']);
    expect(await read()).to.deep.equal([]);
    await appendFile(path, 'c\n');
    expect(await read()).to.deep.equal(['c']);
  });

  it('waits for the end of a line', async () => {
    await writeFile(path, 'a\nbe');
    expect(await read()).to.deep.equal(['a']);
    await appendFile(path, 'ginning');
    expect(await read()).to.deep.equal([]);
    await appendFile(path, '\n');
    expect(await read()).to.deep.equal(['beginning']);
  });

  it('reads the end of a file that was renamed away, then the new one', async () => {
    await writeFile(path, 'a\n');
    expect(await read()).to.deep.equal(['a']);
    await appendFile(path, 'b\n');
    await rename(path, `${path}.1`);
    await writeFile(path, 'c\n');
    expect(await read()).to.deep.equal(['b', 'c']);
    await appendFile(path, 'd\n');
    expect(await read()).to.deep.equal(['d']);
  });

  it('goes on with a file that is renamed before the new one is there', async () => {
    await writeFile(path, 'a\n');
    await read();
    await rename(path, `${path}.1`);
    await appendFile(`${path}.1`, 'b\n');
    expect(await read()).to.deep.equal(['b']);
    await writeFile(path, 'c\n');
    expect(await read()).to.deep.equal(['c']);
  });

  it('begins anew in a file that was cut short', async () => {
    await writeFile(path, 'a\nb\nc\n');
    await read();
    await truncate(path);
    expect(await read()).to.deep.equal([]);
    await appendFile(path, 'd\n');
    expect(await read()).to.deep.equal(['d']);
  });

  it('reads no more than the end of a huge file, from a whole line on', async () => {
    await writeFile(path, Array.from({ length: 1_000 }, (_, line) => `line ${line}\n`).join(''));
    follow({ maxBytes: 25 });
    expect(await read()).to.deep.equal(['line 998', 'line 999']);
    await appendFile(path, Array.from({ length: 9 }, (_, line) => `more ${line}\n`).join(''));
    expect(await read()).to.deep.equal(['more 6', 'more 7', 'more 8']);
  });

  it('leaves out a line that is too long, and nothing else', async () => {
    follow({ maxLineBytes: 10 });
    await writeFile(path, `a\n${'x'.repeat(1_000_000)}`);
    expect(await read()).to.deep.equal(['a']);
    await appendFile(path, `${'x'.repeat(100)}\nb\n${'y'.repeat(11)}\nc\n`);
    expect(await read()).to.deep.equal(['b', 'c']);
  });

  it('fails where there is no file, and works once there is one', async () => {
    const codeOf = (): Promise<unknown> => read().catch((error: unknown) => (error as { code: string }).code);
    expect(await codeOf()).to.equal('ENOENT');
    await writeFile(path, 'a\n');
    expect(await read()).to.deep.equal(['a']);
    await tail.close();
    path = dir;
    follow();
    expect(await codeOf()).to.equal('ENOTAFILE');
  });

  it('goes on where it was called off', async () => {
    const line = `${'x'.repeat(999)}\n`;
    await writeFile(path, line.repeat(1_000));
    const calledOff = new AbortController();
    let count = 0;
    const first = tail.read(() => {
      count += 1;
      calledOff.abort(new Error('called off'));
    }, calledOff.signal);
    expect(await first.catch((error: unknown) => String(error))).to.equal('Error: called off');
    expect(count).to.be.within(1, 999);
    expect((await read()).length + count).to.equal(1_000);
  });

  it('gives every line once and in order, however it is written and read', async function () {
    this.timeout(60_000);
    const text = fc.string({ unit: 'grapheme' }).map((raw) => raw.replaceAll('\n', ' '));
    const pieces = fc.array(fc.tuple(fc.nat(40), fc.boolean()));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 20 }), pieces, async (lines, steps) => {
        await tail.close();
        await writeFile(path, '');
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const found: string[] = [];
        let at = 0;
        for (const [length, reads] of [...steps, [bytes.length, true] as const]) {
          await appendFile(path, bytes.subarray(at, at + length));
          at += length;
          if (reads) found.push(...(await read()));
        }
        expect(found).to.deep.equal(lines);
      }),
      { numRuns: 50 },
    );
  });
});
