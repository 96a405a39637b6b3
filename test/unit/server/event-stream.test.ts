import { expect } from 'chai';

import { ChangeFeed } from '../../../src/server/change-feed.ts';
import { openEventStream } from '../../../src/server/event-stream.ts';
import { busyFleet, readerOf } from './sample-fleet.ts';

describe('openEventStream', () => {
  const decoder = new TextDecoder();

  function openStream() {
    const fleet = readerOf(busyFleet());
    const feed = new ChangeFeed({ onUpdate: (listener) => fleet.onUpdate(listener), minIntervalMs: 0 });
    const reader = openEventStream(feed).getReader();
    const read = async (): Promise<string> => {
      const { value } = await reader.read();
      return decoder.decode(value);
    };
    return { fleet, feed, reader, read };
  }

  it('opens with a comment and then tells changes', async () => {
    const { fleet, feed, read } = openStream();
    expect(await read()).to.equal('retry: 2000\n: connected\n\n');
    const next = read();
    fleet.update();
    expect(await next).to.equal('event: changed\ndata: {}\n\n');
    feed.close();
  });

  it('keeps one change for a reader that is slow, however many there were', async () => {
    const { fleet, feed, reader, read } = openStream();
    for (let i = 0; i < 50; i += 1) {
      fleet.update();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(await read()).to.contain('connected');
    expect(await read()).to.contain('changed');
    const third = reader.read();
    await reader.cancel();
    expect((await third).done).to.equal(true);
    feed.close();
  });

  it('ends its subscription when the reader cancels', async () => {
    const { feed, reader } = openStream();
    expect(feed.size).to.equal(1);
    await reader.cancel();
    expect(feed.size).to.equal(0);
    feed.close();
  });
});
