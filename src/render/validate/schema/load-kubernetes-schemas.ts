import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

import type { KubernetesSchemas } from './kubernetes-schemas.ts';

const decompress = promisify(brotliDecompress);
/** The version whose schemas come with the package. */
const bundled = new URL('../../../../schemas/kubernetes/1.36.json.br', import.meta.url);

let loaded: Promise<KubernetesSchemas> | undefined;

/** The schemas of the built-in kinds, read once, in about 5 ms. */
export function loadKubernetesSchemas(signal: AbortSignal): Promise<KubernetesSchemas> {
  loaded ??= read(signal).catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

async function read(signal: AbortSignal): Promise<KubernetesSchemas> {
  const text = (await decompress(await readFile(bundled, { signal }))).toString();
  // The file is part of the package, and a test holds it against a real server.
  return JSON.parse(text) as KubernetesSchemas;
}
