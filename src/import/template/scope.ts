import type { Template } from './template.ts';

/** What a parameter of the foreign tool is here. */
export type Resolution =
  /** `difference` says where the two are not quite the same. */
  | { readonly ok: true; readonly template: Template; readonly difference?: string }
  /** `isUnknown`: nothing has it, so that what is said for its absence holds. */
  | { readonly ok: false; readonly isUnknown?: true; readonly message: string; readonly remedy?: string };

/** One source of parameters: what it does not know is undefined. */
export interface ParameterSource {
  /** It may have any parameter, such as a file that is not at hand: it is asked last. */
  readonly isOpen: boolean;
  resolve(path: readonly (string | number)[]): Resolution | undefined;
}

/** What a parameter is by the first source that knows it; open ones come last. */
export function resolveParameter(
  sources: readonly ParameterSource[],
  path: readonly (string | number)[],
): Resolution {
  const ordered = [...sources].sort((a, b) => Number(a.isOpen) - Number(b.isOpen));
  for (const source of ordered) {
    const resolution = source.resolve(path);
    if (resolution !== undefined) return resolution;
  }
  return {
    ok: false,
    isUnknown: true,
    message: `no generator here gives the parameter ${path.join('.') || '.'}`,
  };
}

/**
 * The path that a tag of fasttemplate means: 'metadata.labels.example.com/tier' is three steps, as labels never
 * nest, and 'path[1]' is the second segment.
 */
export function pathOfTag(tag: string): (string | number)[] {
  const metadata = /^metadata\.(labels|annotations)\.(.+)$/.exec(tag);
  if (metadata !== null) return ['metadata', metadata[1] ?? '', metadata[2] ?? ''];
  return tag.split('.').flatMap((step) => {
    const indexed = /^(.+)\[(\d+)\]$/.exec(step);
    if (indexed !== null) return [indexed[1] ?? '', Number(indexed[2])];
    return /^\d+$/.test(step) ? [Number(step)] : [step];
  });
}
