import { parse } from '@bufbuild/cel';

import { checkedText } from '../schema/schema.ts';

/** The syntax tree of a CEL expression. */
export type ParsedCondition = ReturnType<typeof parse>;

/** Characters of an expression. With the limit on loops this bounds what a condition may cost. */
const maxLength = 1_024;
/** Uses of the macros that loop. A loop can multiply its result with each one that it follows. */
const maxLoops = 3;
const loopMacros: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

export type ConditionResult =
  { readonly ok: true; readonly parsed: ParsedCondition } | { readonly ok: false; readonly message: string };

/** Parses a CEL expression, within limits. Never throws. */
export function parseCondition(text: string): ConditionResult {
  const failed = (message: string): ConditionResult => ({ ok: false, message });
  if (text.trim() === '') return failed('must not be empty');
  if (text.length > maxLength) return failed(`must be no longer than ${maxLength} characters`);
  try {
    const parsed = parse(text);
    if (countLoops(parsed) > maxLoops)
      return failed(`must use all, exists, exists_one, map and filter at most ${maxLoops} times`);
    return { ok: true, parsed };
  } catch (error) {
    return failed(`is no CEL expression: ${readable(error)}`);
  }
}

function countLoops(parsed: ParsedCondition): number {
  const macros = Object.values(parsed.sourceInfo?.macroCalls ?? {});
  return macros.filter(
    ({ exprKind: { case: kind, value } }) => kind === 'callExpr' && loopMacros.has(value.function),
  ).length;
}

/** The parser says '<input>:1:3: found …'. */
function readable(error: unknown): string {
  if (error instanceof RangeError) return 'it is nested too deeply';
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(
    /^<input>:(\d+):(\d+): (.*)$/s,
    (_, line: string, column: string, rest: string) =>
      `${rest}, at ${line === '1' ? '' : `line ${line}, `}character ${column}`,
  );
}

/** A CEL expression, so far as its syntax goes. */
export const conditionSchema = checkedText((text) => {
  const result = parseCondition(text);
  return result.ok ? undefined : result.message;
});
