#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import process from 'node:process';

import { stringAt } from '../model/json.ts';
import { endProcess, processEnvironment } from './process-environment.ts';
import { runCli } from './run-cli.ts';

const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

await endProcess(
  await runCli(process.argv.slice(2), {
    environment: processEnvironment(),
    loadActions: async () => (await import('./create-actions.ts')).createActions(),
    version: stringAt(manifest, 'version') ?? 'unknown',
  }),
);
