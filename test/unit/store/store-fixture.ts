import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Drift } from '../../../src/model/change.ts';
import type { Baseline } from '../../../src/model/observation.ts';

/** A folder of its own for each test; a test may leave it with its state open. */
export function useStateDir(): () => string {
  let dir = '';
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'fleetwright-store-'));
  });
  afterEach(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  return () => dir;
}

export function configMapRef(name: string): Baseline['ref'] {
  return { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name };
}

export function baselineOf(name: string, desiredHash = 'h1'): Baseline {
  return { ref: configMapRef(name), uid: `uid-${name}`, desiredHash, ownership: 'o1', additions: '' };
}

/** A drift that was corrected a second after it was noticed, `minutes` after noon of the first of May. */
export function correctedDrift(name: string, minutes: number): Drift {
  const noon = Date.UTC(2026, 4, 1, 12) + minutes * 60_000;
  return {
    ref: configMapRef(name),
    origin: { generator: 'web', file: 'apps/web.yaml', document: 1, line: 1 },
    kind: 'changed',
    fields: [],
    action: 'corrected',
    detectedAt: new Date(noon).toISOString(),
    correctedAt: new Date(noon + 1_000).toISOString(),
  };
}
