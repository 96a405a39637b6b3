import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { dump } from 'js-yaml';

import type { JsonObject } from '../src/model/json.ts';

const perFile = 100;

/** ConfigMaps of about a kilobyte, as small configuration usually is. */
export function configMaps(count: number, namespace: string): JsonObject[] {
  return Array.from({ length: count }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `settings-${String(index).padStart(5, '0')}`, namespace, labels: { app: 'bench' } },
    data: { 'app.properties': `index=${index}\n${'setting=some value that is not very long\n'.repeat(20)}` },
  }));
}

export function namespaceObject(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

/** A fleet folder with one generator that gives these objects to every cluster. */
export async function writeFleet(dir: string, objects: readonly JsonObject[]): Promise<void> {
  await mkdir(join(dir, 'generators'), { recursive: true });
  await mkdir(join(dir, 'apps', 'bulk'), { recursive: true });
  const generator = {
    apiVersion: 'fleetwright.dev/v1alpha1',
    kind: 'Generator',
    metadata: { name: 'bulk' },
    spec: { clusterSelector: {}, source: { path: 'apps/bulk' } },
  };
  await writeFile(join(dir, 'generators', 'bulk.yaml'), dump(generator));
  for (let start = 0; start < objects.length; start += perFile) {
    const text = objects
      .slice(start, start + perFile)
      .map((object) => dump(object))
      .join('---\n');
    await writeFile(join(dir, 'apps', 'bulk', `${String(start).padStart(5, '0')}.yaml`), text);
  }
}
