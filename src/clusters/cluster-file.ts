import { dirname } from 'node:path';

import { parseClusterDocument } from '../config/cluster-document.ts';
import { parseManifests } from '../config/yaml/parse-manifests.ts';
import { formatOrigin } from '../model/origin.ts';
import type { Registration, RegistryPart } from './registry-part.ts';

/** The clusters in a file of documents of kind Cluster. Relative paths in it start at its folder. */
export function clustersOfFile(
  text: string,
  { file, homeDir }: { readonly file: string; readonly homeDir: string },
): RegistryPart {
  const { documents, faults } = parseManifests(text, { file, code: 'ConfigInvalid' });
  const all = [...faults];
  const registrations: Registration[] = [];
  for (const document of documents) {
    const parsed = parseClusterDocument(document, { file, homeDir, baseDir: dirname(file) });
    if (parsed.ok)
      registrations.push({ cluster: parsed.value, place: formatOrigin({ file, line: document.line }) });
    else all.push(...parsed.faults);
  }
  return { registrations, faults: all };
}
