import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';

import { openStateStore } from '../../../src/store/state-store.ts';
import { useStateDir } from './store-fixture.ts';

interface Writer {
  readonly process: ChildProcess;
  /** Everything that it has said so far. */
  readonly said: string[];
  readonly ended: Promise<unknown>;
}

function startWriter(stateDir: string, name: string, count?: number): Writer {
  const script = join(import.meta.dirname, 'state-writer.ts');
  const args = [script, stateDir, name, ...(count === undefined ? [] : [String(count)])];
  const process_ = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const said: string[] = [];
  const lines = createInterface({ input: process_.stdout });
  lines.on('line', (line) => said.push(line));
  return { process: process_, said, ended: Promise.all([once(process_, 'exit'), once(lines, 'close')]) };
}

async function untilSaid(writer: Writer, count: number): Promise<void> {
  while (writer.said.length < count) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('state that several processes write (invariant 12)', () => {
  const stateDir = useStateDir();

  function found(): { readonly setAside: number; readonly turns: number; readonly approvals: number } {
    let setAside = 0;
    const store = openStateStore(stateDir(), { onSetAside: () => (setAside += 1) });
    try {
      const objects = store.baselines('berlin').size;
      expect(objects % 100, 'a set of baselines is saved whole').to.equal(0);
      return { setAside, turns: objects / 100, approvals: store.approvalCount() };
    } finally {
      store.close();
    }
  }

  it('holds all that was written before a kill -9', async () => {
    const writer = startWriter(stateDir(), 'one');
    await untilSaid(writer, 5);
    writer.process.kill('SIGKILL');
    await writer.ended;
    const { setAside, turns } = found();
    expect(setAside).to.equal(0);
    // The last turn may have been written and not yet told.
    expect(turns).to.be.within(writer.said.length, writer.said.length + 1);
  });

  it('goes on after a kill -9, again and again', async () => {
    for (const name of ['one', 'two', 'three']) {
      const writer = startWriter(stateDir(), name);
      await untilSaid(writer, 2);
      writer.process.kill('SIGKILL');
      await writer.ended;
      expect(writer.said.filter((line) => line.startsWith('set aside'))).to.deep.equal([]);
    }
    expect(found().setAside).to.equal(0);
    expect(found().turns).to.be.at.least(6);
  });

  it('takes in what processes write that start at the same moment in a new folder', async () => {
    const names = ['one', 'two', 'three', 'four'];
    const writers = names.map((name) => startWriter(stateDir(), name, 5));
    await Promise.all(writers.map((writer) => writer.ended));
    expect(writers.map((writer) => writer.process.exitCode)).to.deep.equal([0, 0, 0, 0]);
    expect(found()).to.deep.equal({ setAside: 0, turns: 20, approvals: 20 });
  });
});
