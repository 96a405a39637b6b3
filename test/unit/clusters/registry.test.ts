import { mkdtemp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'chai';

import { clusterNameOf } from '../../../src/clusters/cluster-name.ts';
import { loadRegistry } from '../../../src/clusters/registry.ts';
import { watchRegistry } from '../../../src/clusters/watch-registry.ts';
import {
  type Cluster,
  type ClusterSource,
  defaultPruneLimit,
  type FleetSettings,
} from '../../../src/model/settings.ts';

function settings(
  clusters: readonly ClusterSource[],
  inlineClusters: readonly Cluster[] = [],
): FleetSettings {
  return {
    name: 'acme',
    source: { url: '/repo', ref: 'main', path: '', intervalMs: 30_000 },
    clusters,
    inlineClusters,
    sync: { drift: 'correct', prune: true, pruneLimit: defaultPruneLimit },
    labelGraceMs: 0,
    server: { host: '127.0.0.1', port: 0 },
    stateDir: '/state',
    tools: {},
  };
}

function kubeconfig(...contexts: readonly string[]): string {
  return JSON.stringify({
    contexts: contexts.map((name) => ({ name, context: { cluster: 'c', user: 'u' } })),
    users: [{ name: 'u', user: { token: 'hush' } }],
  });
}

function clusterDocument(name: string, path: string, labels = '{}'): string {
  return `apiVersion: fleetwright.dev/v1alpha1\nkind: Cluster\nmetadata: {name: ${name}, labels: ${labels}}\nspec: {kubeconfig: {path: ${path}}}\n`;
}

function inline(name: string): Cluster {
  return { name, labels: {}, annotations: {}, connection: { kind: 'kubeconfig', path: '/inline' } };
}

describe('the registry', () => {
  let dir = '';
  const { signal } = new AbortController();

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'registry-'));
    await mkdir(join(dir, 'clusters.d'));
  });
  afterEach(async () => {
    await rm(dir, { recursive: true });
  });

  it('joins contexts, files of kind Cluster and the settings’ own clusters', async () => {
    await writeFile(join(dir, 'config'), kubeconfig('Admin@Shanghai', 'beijing'));
    await writeFile(
      join(dir, 'clusters.d/b.yaml'),
      `${clusterDocument('hangzhou', 'edge.kubeconfig', '{env: edge}')}---\n${clusterDocument('ningbo', '/abs')}`,
    );
    await writeFile(join(dir, 'clusters.d/README.md'), 'not a cluster');
    await writeFile(join(dir, 'clusters.d/.draft.yaml'), 'x: [');
    const sources: ClusterSource[] = [
      { kind: 'kubeconfig', path: join(dir, 'config') },
      { kind: 'directory', path: join(dir, 'clusters.d') },
    ];
    const path = join(dir, 'config');
    expect(await loadRegistry(settings(sources, [inline('paris')]), { signal })).to.deep.equal({
      faults: [],
      clusters: [
        {
          name: 'admin-shanghai',
          labels: {},
          annotations: {},
          connection: { kind: 'kubeconfig', path, context: 'Admin@Shanghai' },
        },
        {
          name: 'beijing',
          labels: {},
          annotations: {},
          connection: { kind: 'kubeconfig', path, context: 'beijing' },
        },
        {
          name: 'hangzhou',
          labels: { env: 'edge' },
          annotations: {},
          connection: { kind: 'kubeconfig', path: join(dir, 'clusters.d/edge.kubeconfig') },
        },
        { name: 'ningbo', labels: {}, annotations: {}, connection: { kind: 'kubeconfig', path: '/abs' } },
        inline('paris'),
      ],
    });
  });

  it('loses no cluster to a file that cannot be read', async () => {
    await writeFile(join(dir, 'broken'), 'contexts: [{name: a}]\nusers: [{token: hush, token: hush}]\n');
    await writeFile(join(dir, 'clusters.d/a.yaml'), clusterDocument('a', '/a'));
    await writeFile(join(dir, 'clusters.d/b.yaml'), 'kind: Cluster\nmetadata: [');
    await mkdir(join(dir, 'clusters.d/c.yaml'));
    const sources: ClusterSource[] = [
      { kind: 'kubeconfig', path: join(dir, 'missing') },
      { kind: 'kubeconfig', path: join(dir, 'broken') },
      { kind: 'directory', path: join(dir, 'nowhere') },
      { kind: 'directory', path: join(dir, 'clusters.d') },
    ];
    const { clusters, faults } = await loadRegistry(settings(sources), { signal });
    expect(clusters.map(({ name }) => name)).to.deep.equal(['a']);
    expect(faults.map((fault) => fault.describe().replaceAll(dir, ''))).to.deep.equal([
      '/missing:1: ConfigInvalid: the file cannot be read (it does not exist)',
      '/broken:2: ConfigInvalid: the kubeconfig is no valid YAML',
      '/nowhere:1: ConfigInvalid: the folder cannot be read (it does not exist)',
      '/clusters.d/b.yaml:2:12: ConfigInvalid: unexpected end of the stream within a flow collection',
      '/clusters.d/c.yaml:1: ConfigInvalid: the file cannot be read (it is a folder)',
    ]);
  });

  it('uses none of the clusters that share a name', async () => {
    await writeFile(join(dir, 'config'), kubeconfig('a/b', 'a b', 'other'));
    const source: ClusterSource = { kind: 'kubeconfig', path: join(dir, 'config') };
    const { clusters, faults } = await loadRegistry(settings([source], [inline('other'), inline('fine')]), {
      signal,
    });
    expect(clusters.map(({ name }) => name)).to.deep.equal(['fine']);
    expect(faults.map((fault) => fault.message.replaceAll(dir, ''))).to.deep.equal([
      '2 clusters are named "a-b", so none of them is used: context "a b" of /config; context "a/b" of /config',
      '2 clusters are named "other", so none of them is used: context "other" of /config; the settings file',
    ]);
  });

  it('takes the contexts that are asked for, and says which of them are missing', async () => {
    await writeFile(join(dir, 'config'), kubeconfig('a', 'b'));
    const source: ClusterSource = { kind: 'kubeconfig', path: join(dir, 'config'), contexts: ['b', 'c'] };
    const { clusters, faults } = await loadRegistry(settings([source]), { signal });
    expect(clusters.map(({ name }) => name)).to.deep.equal(['b']);
    expect(faults.map(({ message }) => message)).to.deep.equal(['the kubeconfig has no context "c"']);
  });

  it('notices writing, adding, removing and replacing by a rename, and nothing else', async () => {
    const controller = new AbortController();
    await writeFile(join(dir, 'config'), kubeconfig('a'));
    const sources: ClusterSource[] = [
      { kind: 'kubeconfig', path: join(dir, 'config') },
      { kind: 'directory', path: join(dir, 'clusters.d') },
    ];
    let changes = 0;
    let wake = (): void => undefined;
    const changed = async (act: () => Promise<void>): Promise<number> => {
      const before = changes;
      const seen = new Promise<void>((resolve) => (wake = resolve));
      await act();
      await seen;
      return changes - before;
    };
    const onChange = (): void => {
      changes++;
      wake();
    };
    // So rare a check that only events can bring the changes.
    await watchRegistry(settings(sources), onChange, {
      signal: controller.signal,
      times: { settleMs: 20, checkMs: 3_600_000 },
    });
    const replace = async (): Promise<void> => {
      await writeFile(join(dir, 'config.new'), kubeconfig('a', 'b'));
      await rename(join(dir, 'config.new'), join(dir, 'config'));
    };
    expect(await changed(replace)).to.equal(1);
    expect(await changed(replace)).to.equal(1);
    expect(await changed(() => writeFile(join(dir, 'config'), kubeconfig('c')))).to.be.at.least(1);
    expect(await changed(() => writeFile(join(dir, 'clusters.d/x.yaml'), 'x'))).to.be.at.least(1);
    expect(await changed(() => rm(join(dir, 'clusters.d/x.yaml')))).to.equal(1);
    await sleep(100);
    const before = changes;
    await writeFile(join(dir, 'unrelated'), 'x');
    await writeFile(join(dir, 'clusters.d/notes.txt'), 'x');
    await sleep(200);
    expect(changes).to.equal(before);
    controller.abort();
  });
});

describe('clusterNameOf', () => {
  const names: readonly (readonly [string, string])[] = [
    ['prod', 'prod'],
    ['arn:aws:eks:us-east-1:123:cluster/Prod', 'arn-aws-eks-us-east-1-123-cluster-prod'],
    ['kubernetes-admin@kubernetes', 'kubernetes-admin-kubernetes'],
    ['_a.-b_', 'a.b'],
    ['上海', ''],
  ];
  for (const [context, name] of names) {
    it(`makes ${JSON.stringify(name)} of ${JSON.stringify(context)}`, () => {
      expect(clusterNameOf(context)).to.equal(name);
    });
  }

  it('keeps long names apart, and valid where they are cut', () => {
    const long = `${'x'.repeat(53)}-`;
    const [one, two] = [
      clusterNameOf(`${long}${'y'.repeat(20)}1`),
      clusterNameOf(`${long}${'y'.repeat(20)}2`),
    ];
    expect(one).not.to.equal(two);
    for (const name of [one, two]) expect(name).to.match(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])$/);
  });
});
