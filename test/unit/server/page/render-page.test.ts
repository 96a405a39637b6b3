import { Script } from 'node:vm';

import { expect } from 'chai';
import fc from 'fast-check';

import { FleetError, type Subject } from '../../../../src/model/fleet-error.ts';
import type { PageData } from '../../../../src/server/page/page-data.ts';
import { pageScript } from '../../../../src/server/page/page-script.ts';
import { renderFragment } from '../../../../src/server/page/render-fragment.ts';
import { renderPage } from '../../../../src/server/page/render-page.ts';
import { cluster, driftCluster, metadata } from '../../report/sample-reports.ts';
import { busyFleet, clusterStatus, fleetStatus, newFleet } from '../sample-fleet.ts';

/** What a reader sees: the markup without its tags, blanks run together. */
function textOf(data: PageData): string {
  return renderFragment(data)
    .body.markup.replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ');
}

/** Every text that a cluster, Git or the registry may have a say in, replaced. Dates and enums are ours. */
function withEveryText(data: PageData, text: string): PageData {
  const ours = new Set([
    'state',
    'action',
    'kind',
    'generatedAt',
    'code',
    'retry',
    'subresource',
    'operation',
  ]);
  const replace = (value: unknown, key = ''): unknown => {
    if (value instanceof FleetError)
      return new FleetError(value.code, text, replace(value.subject) as Subject);
    if (typeof value === 'string') return ours.has(key) ? value : text;
    if (Array.isArray(value)) return value.map((item) => replace(item));
    if (typeof value !== 'object' || value === null) return value;
    const isRef = 'apiVersion' in value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        key === 'labels' ? text : name,
        isRef && typeof item === 'string' ? text : replace(item, name),
      ]),
    );
  };
  return replace(data) as PageData;
}

function shapeOf(data: PageData): string[] {
  return [...renderFragment(data).body.markup.matchAll(/<\/?([^\s>]*)/g)].map(([, tag = '']) => tag);
}

describe('renderPage', () => {
  it('holds a script that parses', () => {
    expect(() => new Script(pageScript)).not.to.throw();
    expect(pageScript).not.to.match(/<\/script/i);
  });

  it('asks nothing of any other server', () => {
    const page = renderPage(renderFragment(busyFleet()));
    const addresses = [...page.matchAll(/(?:src|href|content)="([^"]*)"/g)].map(([, value = '']) => value);
    expect(addresses.filter((address) => /^(?:[a-z]+:)?\/\//i.test(address))).to.deep.equal([]);
  });

  it('is complete without a script', () => {
    const page = renderPage(renderFragment(busyFleet()));
    expect(page).to.match(/^<!doctype html>/);
    expect(page).to.contain('<title>1 unreachable, 1 failed,').and.to.contain('<noscript>');
    expect(page).to.contain('guangzhou-prod').and.to.contain('fleetwright approve a1b2c3d4e5f6');
  });
});

describe('renderFragment', () => {
  it('lets no text of a cluster become markup', () => {
    const shape = shapeOf(withEveryText(busyFleet(), 'x'));
    const hostile = fc.constantFrom(
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "' autofocus onfocus='alert(1)",
      '</title></style><svg/onload=alert(1)>',
      '&lt;b&gt;',
      '\u0000\u001b]8;;http://evil.example\u0007',
      '\u202egnp.exe',
      '\ud800',
    );
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: 'binary', minLength: 1 })), (text) => {
        fc.pre(text.trim() !== '');
        const { body, title } = renderFragment(withEveryText(busyFleet(), text));
        // Lines of a message become paragraphs: the one thing that a text may add.
        if (!text.includes('\n')) {
          expect(shapeOf(withEveryText(busyFleet(), text))).to.deep.equal(shape);
        }
        expect(body.markup).not.to.match(/[\u0000-\u0009\u000b-\u001f\u007f\u202a-\u202e]/);
        expect(renderPage({ body, title }).match(/<script/g)).to.have.lengthOf(1);
      }),
    );
  });

  it('puts the clusters that need a person first', () => {
    const rows = [...renderFragment(busyFleet()).body.markup.matchAll(/<tbody[^>]*data-key="([^"]*)"/g)];
    expect(rows.map(([, name]) => name)).to.deep.equal([
      'chengdu-edge',
      'guangzhou-prod',
      'shenzhen-prod',
      'beijing-prod',
      'hangzhou-edge',
      'shanghai-prod',
    ]);
  });

  it('names what is not healthy, and puts its cluster first where something is degraded', () => {
    const ref = { apiVersion: 'batch/v1', kind: 'Job', namespace: 'shop', name: '<b>move' };
    const health = {
      counts: { healthy: 1, progressing: 0, degraded: 1, suspended: 0 },
      unwell: [{ ref, state: 'degraded' as const, reason: 'BackoffLimitExceeded' }],
    };
    const clusters = [clusterStatus('beijing'), clusterStatus('tokyo', { health })];
    const { markup } = renderFragment({ ...newFleet(), status: fleetStatus(clusters) }).body;
    expect(markup).to.include(
      '<li class="bad">Job/&lt;b&gt;move in shop is degraded: BackoffLimitExceeded</li>',
    );
    expect(markup.indexOf('data-key="tokyo"')).to.be.within(0, markup.indexOf('data-key="beijing"'));
  });

  it('reads like `fleetwright drift`', () => {
    const text = textOf(busyFleet());
    expect(text).to.contain(
      'Deployment/web in shop apps/frontend/deployment.yaml:12 corrected 14:02:11 (2s ago)',
    );
    expect(text).to.contain('.spec.replicas 2 in Git, 5 in the cluster kubectl scale (kubectl)');
    expect(text).to.contain(
      '.data.mode fast in Git, slow in the cluster kubectl edit (kubectl-edit), 14:01:10 (63s ago)',
    );
    expect(text).to.contain('left as it is since 14:01:10');
    expect(text).to.contain('missing, corrected 11:20:00');
  });

  it('tells the state of a cluster that is away with the age of the last contact', () => {
    expect(textOf(busyFleet())).to.contain('unreachable last seen 12m ago');
  });

  it('shows each hold once, with its reason, the command and all objects', () => {
    const text = textOf(busyFleet());
    expect(text.match(/fleetwright approve a1b2c3d4e5f6/g)).to.have.lengthOf(1);
    expect(text).to.contain('it would delete 7 of 30 objects').and.to.contain('ConfigMap/old-6 in shop');
  });

  it('names the settings that the engine was started with in the command', () => {
    const text = textOf({ ...busyFleet(), settingsPath: '/etc/fleet.yaml' });
    expect(text).to.contain('fleetwright approve a1b2c3d4e5f6 -c /etc/fleet.yaml');
  });

  it('shows a fault of many clusters once, with its place and the remedy', () => {
    const text = textOf(busyFleet());
    expect(text.match(/duplicated mapping key/g)).to.have.lengthOf(1);
    expect(text)
      .to.contain('apps/broken/deployment.yaml:13:3')
      .and.to.contain('in beijing-prod, chengdu-edge');
    expect(text).to.contain('Mend the file at the position given.');
  });

  it('speaks of a fleet of which nothing is known yet', () => {
    const text = textOf(newFleet());
    expect(text).to.contain('Reading the repository for the first time…');
    expect(text).to.contain('Nothing to compare yet');
    expect(text).not.to.contain('Faults').and.not.to.contain('Held');
  });

  it('says what to do where no cluster is registered', () => {
    expect(textOf({ ...newFleet(), status: fleetStatus([]) })).to.contain('No cluster is registered.');
  });

  it('says that nothing drifted', () => {
    const calm = { ...newFleet(), status: fleetStatus([clusterStatus('a'), clusterStatus('b')]) };
    const drift = { ...calm.drift, metadata, clusters: [driftCluster('a'), driftCluster('b')] };
    const text = textOf({ ...calm, drift });
    expect(text).to.contain('2 clusters: all in sync').and.to.contain('Nobody changed what Git describes');
  });

  it('says that the last good revision stays in force while Git cannot be read', () => {
    const error = new FleetError('GitUnavailable', 'connect ECONNREFUSED');
    const status = fleetStatus([clusterStatus('a')], { lastFetch: { at: '2026-11-30T14:02:10Z', error } });
    const text = textOf({ ...newFleet(), status });
    expect(text).to.contain('Git could not be read 3s ago. The last good revision stays in force.');
  });

  it('stays small for a huge fleet, and says what it left out', () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `cluster-${String(index).padStart(4, '0')}`);
    const awayFrom = (name: string) => new FleetError('ClusterUnreachable', `no answer from ${name}`);
    const busy = busyFleet();
    const drifted = busy.drift.clusters.flatMap((each) => each.objects);
    const { body } = renderFragment({
      status: fleetStatus(names.map((name) => clusterStatus(name))),
      sync: { ...busy.sync, clusters: names.map((name) => cluster(name, { errors: [awayFrom(name)] })) },
      drift: { ...busy.drift, clusters: names.map((name) => driftCluster(name, { objects: drifted })) },
    });
    expect(body.markup).to.contain('And 2500 clusters more').and.to.contain('And 2950 faults more');
    expect(body.markup.length).to.be.lessThan(2_000_000);
  });
});
