import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { parseGenerator } from '../../../src/config/generator/parse-generator.ts';
import { parseManifests } from '../../../src/config/yaml/parse-manifests.ts';
import { importDocuments, importFormats } from '../../../src/import/import-documents.ts';
import { generatorText, renderImport } from '../../../src/report/imported.ts';

/**
 * A case is a folder with input/ (files of another tool), options.json where it has some, and what must come of it:
 * generators.yaml and findings.txt. To accept a change: UPDATE_GOLDEN=1 npx mocha test/unit/import/golden.test.ts,
 * then read the diff.
 */
const root = join(import.meta.dirname, '../../golden/import');

interface Options {
  readonly repository?: string;
  readonly cluster?: string;
  readonly servers?: Readonly<Record<string, string>>;
}

function translate(folder: string, format: (typeof importFormats)[number]) {
  const input = join(folder, 'input');
  const files = globSync('**/*.yaml', { cwd: input })
    .sort()
    .map((name) => ({ name, bytes: readFileSync(join(input, name)) }));
  const path = join(folder, 'options.json');
  // The test's own file, of this shape.
  const options = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Options) : {};
  const { servers = {}, ...others } = options;
  return importDocuments(files, format, { ...others, servers: new Map(Object.entries(servers)) });
}

for (const format of importFormats) {
  describe(`the golden imports of ${format}`, () => {
    for (const name of readdirSync(join(root, format))) {
      it(name, () => {
        const folder = join(root, format, name);
        const result = translate(folder, format);
        const output = {
          'generators.yaml': result.generators.map(generatorText).join(''),
          'findings.txt': renderImport(result, { color: false }),
        };
        for (const [file, text] of Object.entries(output)) {
          if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(join(folder, file), text);
          expect(text, file).to.equal(readFileSync(join(folder, file), 'utf8'));
        }
        expect(faultsOf(output['generators.yaml'])).to.deep.equal([]);
      });
    }
  });
}

/** What our own reader says of the generators, as text and not as the values they were made of. */
function faultsOf(text: string): string[] {
  const { documents, faults } = parseManifests(text, { file: 'generators.yaml' });
  const parsed = documents.map((document) => parseGenerator(document, { file: 'generators.yaml' }));
  return [...faults, ...parsed.flatMap((each) => (each.ok ? [] : each.faults))].map((fault) =>
    fault.describe(),
  );
}
