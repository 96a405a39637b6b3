import { createHash } from 'node:crypto';

import { pageScript } from './page-script.ts';
import { pageStyle } from './page-style.ts';

/** Lets the page's own script and style run, by their hashes, and nothing else; it speaks to nobody but its server. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `script-src '${hashOf(pageScript)}'`,
  `style-src '${hashOf(pageStyle)}'`,
  "connect-src 'self'",
  // The tab's icon.
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
