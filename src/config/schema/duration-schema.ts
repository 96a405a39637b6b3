import { z } from 'zod';

import { parseDuration } from './duration.ts';

/** '30s', '5m', '1h30m' or 0, as milliseconds. */
export function durationSchema(minMs: number) {
  return z
    .union([z.string(), z.literal(0)], { error: 'must be a duration such as 30s, 5m or 1h' })
    .transform((value, context) => {
      const ms = value === 0 ? 0 : parseDuration(value);
      if (ms !== undefined && ms >= minMs) return ms;
      const message =
        ms === undefined
          ? `${JSON.stringify(value)} is no duration such as 30s, 5m or 1h`
          : `must be at least ${minMs / 1000}s`;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    });
}
