import { celEnv, type CelValue, isCelError, parse, plan } from '@bufbuild/cel';

type Evaluate = ReturnType<typeof plan>;
let evaluate: Evaluate | undefined;

/**
 * Whether a text matches a pattern of a schema; undefined where the pattern is none. Evaluated by CEL's `matches`, whose
 * expressions are RE2's as the server's are: JavaScript's differ, and one of them can run for hours.
 */
export function matchesPattern(text: string, pattern: string): boolean | undefined {
  evaluate ??= plan(celEnv(), parse('text.matches(pattern)'));
  const result: CelValue | ReturnType<Evaluate> = evaluate({ text, pattern });
  return isCelError(result) || typeof result !== 'boolean' ? undefined : result;
}
