import { fileURLToPath } from 'node:url';

import { validate as isCronExpression } from 'node-cron';
import { z } from 'zod';

import type { GitSourceSettings } from '../../model/settings.ts';
import { durationSchema } from './duration-schema.ts';
import { type PathContext, resolvePath } from './resolve-path.ts';
import { checkedText, nonEmpty, strict } from './schema.ts';

const minIntervalMs = 1_000;
const defaultIntervalMs = 30_000;

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
    auth: strict({ username: nonEmpty.optional(), tokenFile: nonEmpty }).optional(),
    backend: z.literal('auto', { error: 'only "auto" is supported so far' }).optional(),
  }).transform(({ url, ref, path, interval, schedule, auth }): GitSourceSettings => ({
    url: resolveUrl(url, context),
    ref,
    path: normalFolder(path),
    intervalMs: interval,
    ...(schedule === undefined ? {} : { schedule }),
    ...(auth === undefined ? {} : { auth: authOf(auth, context) }),
  }));
}

function authOf(
  auth: { readonly username?: string | undefined; readonly tokenFile: string },
  context: PathContext,
) {
  const tokenFile = resolvePath(auth.tokenFile, context);
  return auth.username === undefined ? { tokenFile } : { username: auth.username, tokenFile };
}

/** A URL stays as it is; anything else is a repository on this machine. */
function resolveUrl(url: string, context: PathContext): string {
  if (url.startsWith('file://')) return fileURLToPath(url);
  // 'git@host:path' is what Git itself takes for ssh.
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url) || /^[\w.-]+@[\w.-]+:/.test(url)) return url;
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
