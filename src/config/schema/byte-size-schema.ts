import { z } from 'zod';

import { parseByteSize } from './byte-size.ts';

/** '128Mi' or '1Gi', as bytes. */
export function byteSizeSchema(minBytes: number) {
  return z.string().transform((text, context) => {
    const bytes = parseByteSize(text);
    if (bytes !== undefined && bytes >= minBytes) return bytes;
    const message =
      bytes === undefined
        ? `${JSON.stringify(text)} is no size such as 8Mi or 1Gi`
        : `must be at least ${minBytes / 1024 / 1024}Mi`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}
