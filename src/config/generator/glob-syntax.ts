import picomatch from 'picomatch';

const maxLength = 256;
const maxStars = 12;
const maxAlternatives = 64;

/**
 * The options under which globs are read everywhere: '*' and '?' take any character but '/', also a leading dot, and
 * nothing but * ? [] {} and ** has a meaning. '!' and '()' are plain characters: exclusions have a key of their own.
 */
export const globOptions: picomatch.PicomatchOptions = {
  dot: true,
  nonegate: true,
  noextglob: true,
  strictSlashes: true,
  maxLength,
};

/** What is wrong with a glob, or undefined. Bounds what matching may cost, since it is done by a backtracking expression. */
export function faultOfGlob(glob: string): string | undefined {
  if (glob === '') return 'must not be empty';
  if (glob.length > maxLength) return `must be no longer than ${maxLength} characters`;
  if ((glob.match(/\*+/g) ?? []).length > maxStars) return `must have at most ${maxStars} stars`;
  if ((glob.match(/[{,]/g) ?? []).length > maxAlternatives)
    return `must have at most ${maxAlternatives} alternatives`;
  try {
    picomatch.makeRe(glob, globOptions);
    return undefined;
  } catch (error) {
    return `is no glob: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** What is wrong with a glob of paths, or undefined. */
export function faultOfPathGlob(glob: string): string | undefined {
  if (glob.startsWith('/')) return 'must be relative to the fleet’s root';
  if (glob.split('/').some((part) => part === '..' || part === '.')) return 'must not have "." or ".." in it';
  return faultOfGlob(glob);
}
