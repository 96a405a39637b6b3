import picomatch from 'picomatch';

const maxLength = 256;
const maxAlternatives = 64;
/** Matching backtracks from star to star within a name, so that their number decides how long it may take. */
const maxStarsInName = 3;
/** Any number of folders. */
const anyDepth = '**';

export interface GlobOptions {
  /** Whether '*' and '?' take a leading dot, too. */
  readonly dot: boolean;
}

/**
 * Compiles a glob in which * ? [] {} and ** have their usual meaning and every other character stands for itself.
 * Matched name by name, a path takes no more time than it has names.
 */
export function compileGlob(glob: string, { dot }: GlobOptions): (text: string) => boolean {
  const given = glob.split('/');
  // What ends in '**' is below a folder, not the folder itself.
  const parts = given.at(-1) === anyDepth ? [...given, '*'] : given;
  const matchers = parts.map((part) => (part === anyDepth ? anyDepth : compileName(part, dot)));
  return (text) => {
    let reached = withSkipped(new Set([0]), matchers);
    for (const name of text.split('/')) {
      const next = new Set<number>();
      for (const position of reached) {
        const matcher = matchers[position];
        if (matcher === anyDepth && (dot || !name.startsWith('.'))) next.add(position);
        if (typeof matcher === 'function' && matcher(name)) next.add(position + 1);
      }
      reached = withSkipped(next, matchers);
    }
    return reached.has(matchers.length);
  };
}

/** '**' may stand for no folder at all. */
function withSkipped(reached: Set<number>, matchers: readonly unknown[]): Set<number> {
  for (const position of reached) if (matchers[position] === anyDepth) reached.add(position + 1);
  return reached;
}

function compileName(glob: string, dot: boolean): (name: string) => boolean {
  const options = { dot, nonegate: true, noextglob: true, strictSlashes: true, maxLength: 4 * maxLength };
  const matches = picomatch(escaped(glob), options);
  // For picomatch a set such as '[!a]' takes a leading dot, too.
  const takesDots = dot || glob.startsWith('.');
  return (name) => (takesDots || !name.startsWith('.')) && matches(name);
}

/** picomatch also reads '()', '|', '+', '!' and more as in a regular expression, and '[!a]' as a set with '!' in it. */
function escaped(glob: string): string {
  return glob.replace(/\[[!^]?\]?[^\]]*\]|[()|+@!^$\\]/g, (part) => {
    if (!part.startsWith('[')) return `\\${part}`;
    return part.startsWith('[!') ? `[^${part.slice(2)}` : part;
  });
}

/** The folder from which all that a glob can match lies below: 'apps' for 'apps/*\/web'. */
export function baseOfGlob(glob: string): string {
  const parts = glob.split('/');
  const first = parts.findIndex((part) => /[*?[\]{}]/.test(part));
  return parts.slice(0, first < 0 ? -1 : first).join('/');
}

/** What is wrong with a glob, or undefined. */
export function faultOfGlob(glob: string): string | undefined {
  if (glob === '') return 'must not be empty';
  if (glob.length > maxLength) return `must be no longer than ${maxLength} characters`;
  const names = glob.split('/').filter((name) => name !== anyDepth);
  if (names.some((name) => (name.match(/\*/g) ?? []).length > maxStarsInName))
    return `must have at most ${maxStarsInName} stars in one name`;
  if ((glob.match(/[{,]/g) ?? []).length > maxAlternatives)
    return `must have at most ${maxAlternatives} alternatives`;
  return names.map(faultOfBraces).find((fault) => fault !== undefined);
}

function faultOfBraces(name: string): string | undefined {
  let depth = 0;
  for (const character of name) {
    if (character === '{') depth++;
    if (character === '}') depth--;
    if (depth < 0) break;
  }
  if (depth !== 0) return 'has a brace without its other one in the same name';
  return /\{[^{}]*\.\.[^{}]*\}/.test(name)
    ? 'must not have a range in braces; name each alternative'
    : undefined;
}

/** What is wrong with a glob of paths, or undefined. */
export function faultOfPathGlob(glob: string): string | undefined {
  if (glob.startsWith('/')) return 'must be relative to the fleet’s root';
  if (glob.split('/').some((part) => part === '..' || part === '.')) return 'must not have "." or ".." in it';
  if (/\/(\/|$)/.test(glob)) return 'must not have an empty name in it';
  return faultOfGlob(glob);
}
