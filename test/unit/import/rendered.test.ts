import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { importDocuments, type ImportFormat } from '../../../src/import/import-documents.ts';
import { generatorText } from '../../../src/report/imported.ts';
import { configMap, faultsOf, render as renderFleet } from '../render/fleet.ts';

const golden = join(import.meta.dirname, '../../golden/import');

type Clusters = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface Repository {
  /** Paths and contents of the files that generators read. */
  readonly sources: Readonly<Record<string, string>>;
  /** The labels of each cluster. */
  readonly clusters: Clusters;
}

/** What each cluster gets once the files of a golden case are translated: 'namespace/name' of each object. */
async function render(
  format: ImportFormat,
  name: string,
  { sources, clusters }: Repository,
): Promise<Record<string, string[]>> {
  const input = join(golden, format, name, 'input');
  const files = globSync('**/*.yaml', { cwd: input })
    .sort()
    .map((file) => ({ name: file, bytes: readFileSync(join(input, file)) }));
  const { generators } = importDocuments(files, format, { servers: new Map() });
  const written = generators.map((each) => [`generators/${each.name}.yaml`, generatorText(each)] as const);
  const rendered = await Promise.all(
    Object.entries(clusters).map(async ([cluster, labels]) => {
      const state = await renderFleet({ ...sources, ...Object.fromEntries(written) }, labels, {
        name: cluster,
      });
      expect(faultsOf(state), cluster).to.deep.equal([]);
      const objects = state.objects.map(({ ref, defaultNamespace }) => `${defaultNamespace}/${ref.name}`);
      return [cluster, objects.sort()] as const;
    }),
  );
  return Object.fromEntries(rendered);
}

describe('what is rendered of imported generators', () => {
  it('clusters by label, each with a folder of its own', async () => {
    const rendered = await render('argocd-applicationset', 'clusters-by-label', {
      sources: { 'frontend/one/a.yaml': configMap('one'), 'frontend/two/a.yaml': configMap('two') },
      clusters: {
        one: { env: 'production', region: 'cn-east' },
        two: { env: 'production', region: 'cn-north' },
        far: { env: 'production', region: 'eu' },
        edge: { env: 'production', region: 'cn-east', edge: '' },
      },
    });
    expect(rendered).to.deep.equal({ one: ['shop/one'], two: ['shop/two'], far: [], edge: [] });
  });

  it('a list of clusters', async () => {
    const rendered = await render('argocd-applicationset', 'list-of-clusters', {
      sources: {
        'guestbook/dev-1/a.yaml': configMap('dev'),
        'guestbook/prod-1/a.yaml': configMap('prod'),
      },
      clusters: { 'dev-1': {}, 'prod-1': {}, other: {} },
    });
    expect(rendered).to.deep.equal({ 'dev-1': ['guestbook/dev'], 'prod-1': ['guestbook/prod'], other: [] });
  });

  it('a matrix of directories and clusters, whose label names the directory', async () => {
    const rendered = await render('argocd-applicationset', 'matrix-directories-and-clusters', {
      sources: { 'platform/small/a.yaml': configMap('s'), 'platform/large/a.yaml': configMap('l') },
      clusters: {
        one: { platform: 'enabled', tier: 'small' },
        two: { platform: 'enabled', tier: 'large' },
        none: { platform: 'enabled' },
        off: { tier: 'small' },
      },
    });
    expect(rendered).to.deep.equal({ one: ['small/s'], two: ['large/l'], none: [], off: [] });
  });

  it('a matrix of clusters and the files of each, filtered', async () => {
    const rendered = await render('argocd-applicationset', 'matrix-clusters-and-files', {
      sources: {
        'fleet/one/apps/a.yaml': 'app: web\nenabled: true\nring: one\n',
        'fleet/one/apps/b.yaml': 'app: api\nenabled: true\nring: two\nnamespace: back\n',
        'fleet/one/apps/c.yaml': 'app: api\nenabled: false\nring: one\n',
        'fleet/two/apps/a.yaml': 'app: web\nenabled: "true"\nring: three\n',
        'apps/web/a.yaml': configMap('web'),
        'apps/api/a.yaml': configMap('api'),
      },
      clusters: { one: {}, two: {}, 'one-more': {} },
    });
    expect(rendered).to.deep.equal({ one: ['apps/web', 'back/api'], two: [], 'one-more': [] });
  });

  it('a matrix of lists', async () => {
    const rendered = await render('argocd-applicationset', 'matrix-of-lists', {
      sources: Object.fromEntries(
        ['small/blue', 'small/green', 'large/blue', 'large/green'].map((path) => [
          `shards/${path}/a.yaml`,
          configMap(path.replace('/', '-')),
        ]),
      ),
      clusters: { one: { shards: 'yes' }, two: {} },
    });
    expect(rendered).to.deep.equal({
      one: [
        'shard-a-blue/small-blue',
        'shard-a-green/small-green',
        'shard-b-blue/large-blue',
        'shard-b-green/large-green',
      ],
      two: [],
    });
  });

  it('templates with filters and conditions', async () => {
    const rendered = await render('argocd-applicationset', 'clusters-go-template', {
      sources: {
        'monitoring/stable/large/cn-east/a.yaml': configMap('east'),
        'monitoring/stable/small/eu/a.yaml': configMap('eu'),
      },
      clusters: {
        one: { monitoring: 'true', region: 'CN_East', env: 'production', 'example.com/tier': 'large' },
        two: { monitoring: 'true', region: 'eu', env: 'lab' },
      },
    });
    expect(rendered).to.deep.equal({ one: ['monitoring/east'], two: ['monitoring-dev/eu'] });
  });

  it('a repository of Flux with two clusters', async () => {
    const rendered = await render('flux-kustomization', 'repository-of-two-clusters', {
      sources: {
        'apps/production/a.yaml': configMap('app-production'),
        'apps/staging/a.yaml': configMap('app-staging'),
        'infrastructure/controllers/a.yaml': configMap('controller'),
        'infrastructure/configs/a.yaml': configMap('config'),
      },
      clusters: { production: {}, staging: {}, other: {} },
    });
    expect(rendered).to.deep.equal({
      production: ['default/app-production', 'default/config', 'default/controller'],
      staging: ['default/app-staging', 'default/config', 'default/controller'],
      other: [],
    });
  });
});
