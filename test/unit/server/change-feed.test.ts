import { mock } from 'node:test';

import { expect } from 'chai';

import { ChangeFeed } from '../../../src/server/change-feed.ts';
import { busyFleet, readerOf } from './sample-fleet.ts';

describe('ChangeFeed', () => {
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  });
  afterEach(() => {
    mock.timers.reset();
  });

  function feedWithSubscriber() {
    const fleet = readerOf(busyFleet());
    const feed = new ChangeFeed({ onUpdate: (listener) => fleet.onUpdate(listener) });
    const told: string[] = [];
    const end = feed.subscribe({
      onChange: () => told.push('change'),
      onHeartbeat: () => told.push('heartbeat'),
    });
    return { fleet, feed, told, end };
  }

  it('tells the first update at once and a burst that follows as one, after 200 ms', () => {
    const { fleet, told } = feedWithSubscriber();
    fleet.update();
    expect(told).to.deep.equal(['change']);
    for (let i = 0; i < 1_000; i += 1) fleet.update();
    mock.timers.tick(199);
    expect(told).to.deep.equal(['change']);
    mock.timers.tick(1);
    expect(told).to.deep.equal(['change', 'change']);
    mock.timers.tick(1_000);
    expect(told).to.deep.equal(['change', 'change']);
  });

  it('tells one change every 200 ms while updates never end', () => {
    const { fleet, told } = feedWithSubscriber();
    for (let ms = 0; ms < 1_000; ms += 1) {
      fleet.update();
      mock.timers.tick(1);
    }
    expect(told).to.have.lengthOf(6);
  });

  it('sends a heartbeat every 15 seconds', () => {
    const { told } = feedWithSubscriber();
    mock.timers.tick(45_000);
    expect(told).to.deep.equal(['heartbeat', 'heartbeat', 'heartbeat']);
  });

  it('counts every update in its version, told or not', () => {
    const { fleet, feed } = feedWithSubscriber();
    fleet.update();
    fleet.update();
    expect(feed.version).to.equal(2);
  });

  it('tells nothing to a subscriber that ended', () => {
    const { fleet, feed, told, end } = feedWithSubscriber();
    end();
    fleet.update();
    expect(told).to.deep.equal([]);
    expect(feed.size).to.equal(0);
  });

  it('leaves nothing behind when it is closed', () => {
    const { fleet, feed, told } = feedWithSubscriber();
    fleet.update();
    fleet.update();
    feed.close();
    mock.timers.tick(60_000);
    expect(told).to.deep.equal(['change']);
    expect(fleet.listeners).to.equal(0);
  });
});
