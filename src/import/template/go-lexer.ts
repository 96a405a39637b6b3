import { Untranslatable } from './untranslatable.ts';

/** A piece of a Go template: text as it stands, or what stands between `{{` and `}}`. */
export type Piece =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'action'; readonly action: string };

/** Splits a Go template; `{{-` and `-}}` are resolved by trimming the text beside them. */
export function splitActions(text: string): Piece[] {
  const pieces: Piece[] = [];
  let rest = text;
  let trimNext = false;
  for (;;) {
    const start = rest.indexOf('{{');
    const before = start < 0 ? rest : rest.slice(0, start);
    const trimsBefore = /^\{\{-\s/.test(rest.slice(Math.max(start, 0)));
    const left = trimNext ? before.trimStart() : before;
    const plain = start >= 0 && trimsBefore ? left.trimEnd() : left;
    if (plain !== '') pieces.push({ kind: 'text', text: plain });
    if (start < 0) return pieces;
    const end = endOfAction(rest, start + 2);
    const inside = rest.slice(start + 2, end);
    trimNext = /\s-$/.test(inside);
    const action = inside.replace(/^-\s/, '').replace(/\s-$/, '').trim();
    pieces.push({ kind: 'action', action });
    rest = rest.slice(end + 2);
  }
}

/** Where the action ends: at the next `}}` outside of a quoted text. */
function endOfAction(text: string, start: number): number {
  let quote = '';
  for (let index = start; index < text.length; index++) {
    const character = text.charAt(index);
    if (quote !== '') {
      if (character === '\\' && quote === '"') index++;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === '`') quote = character;
    else if (text.startsWith('}}', index)) return index;
  }
  throw new Untranslatable('a {{ is not closed');
}

export type Token =
  /** `.a.b`, as ['a', 'b']; a dot alone is []. `joined`: it follows a `)` at once, as in `(index .a 0).b`. */
  | { readonly kind: 'field'; readonly path: readonly string[]; readonly joined: boolean }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'punctuation'; readonly text: '(' | ')' | '|' };

const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, nil: null };

const tokenPattern =
  /\s+|(?<field>\$?(?:\.[A-Za-z_][\w]*)+|\$?\.(?![\w])|\$(?!\w))|(?<string>"(?:[^"\\]|\\.)*")|(?<raw>`[^`]*`)|(?<number>-?\d+(?:\.\d+)?)|(?<name>[A-Za-z_]\w*)|(?<punctuation>[()|])/y;

/** The tokens of an action. @throws Untranslatable for variables, assignments and what is no Go template. */
export function tokensOf(action: string): Token[] {
  const tokens: Token[] = [];
  let position = 0;
  while (position < action.length) {
    tokenPattern.lastIndex = position;
    const match = tokenPattern.exec(action);
    if (match === null) {
      const isVariable = action.startsWith('$', position) || action.startsWith(':=', position);
      throw new Untranslatable(
        isVariable
          ? 'variables of a template have no equal'
          : `it cannot be read at ${action.slice(position)}`,
      );
    }
    const token = tokenOf(match.groups ?? {}, action.charAt(position - 1) === ')');
    if (token !== undefined) tokens.push(token);
    position = tokenPattern.lastIndex;
  }
  return tokens;
}

function tokenOf(groups: Record<string, string | undefined>, joined: boolean): Token | undefined {
  const { field, string, raw, number, name, punctuation } = groups;
  if (field !== undefined) {
    return { kind: 'field', path: field.split('.').slice(1).filter(Boolean), joined };
  }
  if (string !== undefined) return { kind: 'literal', value: unquote(string) };
  if (raw !== undefined) return { kind: 'literal', value: raw.slice(1, -1) };
  if (number !== undefined) return { kind: 'literal', value: Number(number) };
  if (name !== undefined) {
    const word = words[name];
    return word === undefined ? { kind: 'name', name } : { kind: 'literal', value: word };
  }
  if (punctuation === '(' || punctuation === ')' || punctuation === '|') {
    return { kind: 'punctuation', text: punctuation };
  }
  return undefined;
}

/** Go's escapes are JSON's and a few rare ones. */
function unquote(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    throw new Untranslatable(`the text ${quoted} cannot be read`);
  }
}
