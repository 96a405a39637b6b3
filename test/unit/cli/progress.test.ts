import { expect } from 'chai';

import { createProgress } from '../../../src/cli/progress.ts';
import { fakeEnvironment } from './fake-environment.ts';

/** What a terminal shows after this text: enough of one for lines that are cleared upwards. */
function screen(text: string): string[] {
  const lines = [''];
  for (const part of text.split(/(\u001b\[1A|\u001b\[2K|\n|\r)/)) {
    if (part === '\n') lines.push('');
    else if (part === '\u001b[1A') lines.pop();
    else if (part === '\u001b[2K') lines[lines.length - 1] = '';
    else if (part !== '\r') lines.push((lines.pop() ?? '') + part);
  }
  return lines.filter((line) => line !== '');
}

describe('progress', () => {
  it('shows busy clusters and a total, and leaves nothing behind', () => {
    const environment = fakeEnvironment({ terminal: true });
    const progress = createProgress(environment, { color: false });
    progress.handle({ kind: 'fetching' });
    expect(screen(environment.err())).to.deep.equal(['fetching from Git']);
    for (const cluster of ['a', 'queued', 'shanghai']) {
      progress.handle({ kind: 'cluster', cluster, phase: 'queued' });
    }
    progress.handle({ kind: 'cluster', cluster: 'a', phase: 'done' });
    environment.advanceMs(100);
    progress.handle({ kind: 'cluster', cluster: 'shanghai', phase: 'applying', done: 120, total: 2000 });
    expect(screen(environment.err())).to.deep.equal([
      '  shanghai  applying 120/2000',
      '1 of 3 clusters done',
    ]);
    progress.message('a line of the log\n');
    expect(screen(environment.err())).to.deep.equal([
      'a line of the log',
      '  shanghai  applying 120/2000',
      '1 of 3 clusters done',
    ]);
    progress.done();
    progress.handle({ kind: 'fetching' });
    expect(screen(environment.err())).to.deep.equal(['a line of the log']);
  });

  it('is gone when every cluster has ended, and stays away while nothing but Git is asked', () => {
    const environment = fakeEnvironment({ terminal: true });
    const progress = createProgress(environment, { color: false });
    progress.handle({ kind: 'cluster', cluster: 'a', phase: 'applying', done: 1, total: 2 });
    expect(screen(environment.err())).to.deep.equal(['  a  applying 1/2', '0 of 1 clusters done']);
    progress.handle({ kind: 'cluster', cluster: 'a', phase: 'done' });
    expect(screen(environment.err())).to.deep.equal([]);
    environment.advanceMs(100);
    progress.handle({ kind: 'fetching' });
    expect(screen(environment.err())).to.deep.equal([]);
    progress.handle({ kind: 'cluster', cluster: 'a', phase: 'applying', done: 1, total: 1 });
    expect(screen(environment.err())).to.deep.equal(['  a  applying 1/1', '0 of 1 clusters done']);
  });

  it('draws no more often than people can see', () => {
    const environment = fakeEnvironment({ terminal: true });
    const progress = createProgress(environment, { color: false });
    for (let done = 0; done < 1000; done += 1) {
      progress.handle({ kind: 'cluster', cluster: 'a', phase: 'applying', done, total: 1000 });
    }
    expect(environment.err().split('applying').length - 1).to.equal(1);
  });

  it('cuts lines to the terminal and shows only some of many clusters', () => {
    const environment = fakeEnvironment({ terminal: true, columns: 20 });
    const progress = createProgress(environment, { color: false });
    for (let index = 0; index < 12; index += 1) {
      progress.handle({ kind: 'cluster', cluster: `cluster-with-a-long-name-${index}`, phase: 'observing' });
      environment.advanceMs(100);
    }
    const lines = screen(environment.err());
    expect(lines.length).to.equal(10);
    expect(lines[8]).to.equal('  and 4 more');
    expect(Math.max(...lines.map((line) => line.length))).to.equal(19);
  });

  it('is silent in a pipe but for messages', () => {
    const environment = fakeEnvironment();
    const progress = createProgress(environment, { color: false });
    progress.handle({ kind: 'step', text: 'starting' });
    progress.message('{"level":"info"}\n');
    progress.done();
    expect(environment.err()).to.equal('{"level":"info"}\n');
  });
});
