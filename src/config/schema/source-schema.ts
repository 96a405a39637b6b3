import { fileURLToPath } from 'node:url';

import { validate as isCronExpression } from 'node-cron';
import { defined } from '../../model/defined.ts';
import type { GitSourceSettings } from '../../model/settings.ts';
import { byteSizeSchema } from './byte-size-schema.ts';
import { durationSchema } from './duration-schema.ts';
import { authSettings, faultOfAuth, gitAuthSchema, isSshUrl } from './git-auth-schema.ts';
import { type PathContext, resolvePath } from './resolve-path.ts';
import { checkedText, nonEmpty, oneOf, strict } from './schema.ts';

const minIntervalMs = 1_000;
const defaultIntervalMs = 30_000;

/** Less would refuse folders with many files, whose listing counts as a file as well. */
const minSizeBytes = 1024 * 1024;

/** `spec.source` of kind Fleet. */
export function sourceSchema(context: PathContext) {
  return strict({
    url: nonEmpty,
    ref: nonEmpty.default('main'),
    path: checkedText(faultOfFolder).default('.'),
    interval: durationSchema(minIntervalMs).default(defaultIntervalMs),
    schedule: checkedText((text) =>
      isCronExpression(text) ? undefined : 'is no cron expression',
    ).optional(),
    auth: gitAuthSchema(context).optional(),
    backend: oneOf(['auto', 'embedded', 'native']).optional(),
    maxPackSize: byteSizeSchema(minSizeBytes).optional(),
    maxFileSize: byteSizeSchema(minSizeBytes).optional(),
  })
    .superRefine(({ auth, url }, issues) => {
      const fault = faultOfAuth(auth, url);
      if (fault !== undefined) {
        issues.addIssue({ code: 'custom', message: fault.message, path: ['auth', fault.key] });
      }
    })
    .transform((source): GitSourceSettings => ({
      url: resolveUrl(source.url, context),
      ref: source.ref,
      path: normalFolder(source.path),
      intervalMs: source.interval,
      ...authSettings(source.auth),
      ...defined({
        schedule: source.schedule,
        backend: source.backend,
        maxPackBytes: source.maxPackSize,
        maxFileBytes: source.maxFileSize,
      }),
    }));
}

/** A URL stays as it is; anything else is a repository on this machine. */
function resolveUrl(url: string, context: PathContext): string {
  if (url.startsWith('file://')) return fileURLToPath(url);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url) || isSshUrl(url)) return url;
  return resolvePath(url, context);
}

function faultOfFolder(path: string): string | undefined {
  if (path.startsWith('/')) return 'must be relative to the root of the repository';
  return path.split('/').includes('..') ? 'must not leave the repository' : undefined;
}

/** 'a/b' for './a//b/', '' for '.'. */
function normalFolder(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}
