import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../..');
const documents = ['README.md', 'CONTRIBUTING.md', 'docs/**/*.md', 'fleet-repo-example/**/*.md'];

type ImportTable = Readonly<Record<string, readonly string[]>>;

describe('the architecture', () => {
  it('has the import table of docs/architecture.md enforced by dependency-cruiser', () => {
    expect(documentedImports()).to.deep.equal(enforcedImports());
  });

  it('has every folder of src/ in the import table', () => {
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    expect(Object.keys(enforcedImports())).to.include.members(folders.filter((folder) => folder !== 'cli'));
    expect(Object.keys(tableRows())).to.include('cli');
  });

  it('has documents that name only files which exist', () => {
    const missing = globSync(documents, { cwd: root }).flatMap((document) =>
      pathsNamedIn(document)
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `${document} names ${path}`),
    );
    expect(missing).to.deep.equal([]);
  });
});

/** The rows of the import table in docs/architecture.md: the cell "may import" by folder. */
function tableRows(): Readonly<Record<string, string>> {
  const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const section = /^## Who may import whom$(.*?)^## /ms.exec(text)?.[1] ?? '';
  const rows = section.matchAll(/^\| `(?<folder>\w+)\/` \| (?<imports>[^|]*) \|/gm);
  return Object.fromEntries([...rows].map((row) => [row.groups!['folder']!, row.groups!['imports']!]));
}

function documentedImports(): ImportTable {
  const rows = Object.entries(tableRows()).filter(([folder]) => folder !== 'cli');
  return Object.fromEntries(
    rows.map(([folder, imports]) => [folder, imports.match(/\w+(?=`)/g)?.sort() ?? []]),
  );
}

/** Read back from the rules, as those are what is enforced: `to.pathNot` is '^src/(self|a|b)/'. */
function enforcedImports(): ImportTable {
  const config: unknown = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs'));
  const rules = (config as { forbidden: { from: { path?: string }; to: { pathNot?: string } }[] }).forbidden;
  return Object.fromEntries(
    rules.flatMap(({ from, to }) => {
      const folder = /^\^src\/(\w+)\/$/.exec(from.path ?? '')?.[1];
      const reachable = /^\^src\/\((.*)\)\/$/.exec(to.pathNot ?? '')?.[1]?.split('|');
      if (folder === undefined || reachable === undefined) return [];
      return [[folder, reachable.filter((name) => name !== folder).sort()]];
    }),
  );
}

/** Relative links, and code spans that are a path from the project's root. */
function pathsNamedIn(document: string): string[] {
  const text = readFileSync(join(root, document), 'utf8').replace(/^```.*?^```/gms, '');
  const links = [...text.matchAll(/\]\((?<path>[^):#]+)[^):]*\)/g)].map((link) =>
    join(dirname(document), link.groups!['path']!),
  );
  const spans = [
    ...text.matchAll(/`(?<path>(?:src|test|docs|bench|scripts|schemas|control-plane)\/[\w./-]*)`/g),
  ];
  return [...links, ...spans.map((span) => span.groups!['path']!)];
}
