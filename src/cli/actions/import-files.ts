import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { importDocuments, type ImportFile } from '../../import/import-documents.ts';
import type { ImportResult } from '../../model/import-result.ts';
import type { ActionContext, ImportRequest } from '../actions.ts';
import { UsageError } from '../usage-error.ts';

/** Translates files of another tool. @throws UsageError when one of them cannot be read, before any is translated. */
export async function importFiles(request: ImportRequest, context: ActionContext): Promise<ImportResult> {
  const files: ImportFile[] = [];
  for (const name of request.files) files.push({ name, bytes: await readBytes(name, context) });
  return importDocuments(files, request.format, request.options);
}

async function readBytes(name: string, { environment, signal }: ActionContext): Promise<Uint8Array> {
  if (name === '-') return environment.readStdin(signal);
  try {
    return await readFile(resolve(environment.cwd, name), { signal });
  } catch (error) {
    signal.throwIfAborted();
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: 'there is no such file',
      EISDIR: 'it is a folder; name the files in it',
      EACCES: 'it may not be read',
    };
    const reason = reasons[code] ?? (error instanceof Error ? error.message : 'unknown');
    throw new UsageError(`${name} cannot be read: ${reason}.`);
  }
}
