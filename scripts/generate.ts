import { writeFileSync } from 'node:fs';

import { format } from 'prettier';

import { errorDocument } from '../src/report/error-document.ts';
import { publishedSchemas } from '../src/report/published-schemas.ts';

/** Writes the files that are made from code; tests hold them equal to it. */
const root = new URL('../', import.meta.url);
for (const [file, schema] of Object.entries(publishedSchemas())) {
  const text = await format(JSON.stringify(schema), { parser: 'json', printWidth: 110 });
  writeFileSync(new URL(`schemas/${file}`, root), text);
}
writeFileSync(new URL('docs/errors.md', root), errorDocument());
