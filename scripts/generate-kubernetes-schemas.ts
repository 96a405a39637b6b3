import { writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';

import { minorVersionOf, type KubernetesSchemas } from '../src/render/validate/schema/kubernetes-schemas.ts';
import { controlPlaneBinaries, removeRun, startOwnControlPlane } from '../test/harness/control-plane.ts';
import { connectTestApi } from '../test/harness/test-api.ts';
import { describeKinds } from './kubernetes-schemas/describe-kinds.ts';

/**
 * Writes schemas/kubernetes/<minor>.json.br: what a real API server, started for this, says of the kinds that it serves,
 * cut to what tells right values from wrong ones. The same server gives the same bytes.
 */
await controlPlaneBinaries();
const started = await startOwnControlPlane('schemas', { node: false });
try {
  const api = await connectTestApi(started.controlPlane);
  // The controller manager makes it; before that nothing can be created in it, not even for show.
  await api.until('/api/v1/namespaces/default', (_, status) => status === 200);
  const schemas: KubernetesSchemas = await describeKinds(api);
  await api.close();
  const text = JSON.stringify(schemas);
  const bytes = brotliCompressSync(text, {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
  });
  const file = new URL(`../schemas/kubernetes/${minorVersionOf(schemas)}.json.br`, import.meta.url);
  writeFileSync(file, bytes);
  const kinds = Object.values(schemas.kinds).flatMap(Object.keys).length;
  console.log(`${schemas.kubeVersion}: ${kinds} kinds, ${text.length} bytes, ${bytes.length} compressed`);
} finally {
  await started.stop();
  await removeRun();
}
