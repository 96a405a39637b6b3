import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { exampleSettings } from '../../../src/cli/load-settings.ts';

/** A folder of its own for each test of a suite, with these files in it; removed afterwards. */
export function useFolder(
  files: Readonly<Record<string, string>> = { 'fleetwright.yaml': exampleSettings },
): { path: string } {
  const folder = { path: '' };
  beforeEach(() => {
    folder.path = mkdtempSync(join(tmpdir(), 'fleetwright-cli-'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, name), text);
  });
  afterEach(() => {
    rmSync(folder.path, { recursive: true });
  });
  return folder;
}
