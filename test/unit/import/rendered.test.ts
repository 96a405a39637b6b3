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
});
