import type { ManifestFile, ManifestObject } from '../manifests/manifest-file.ts';
import type { ObjectRef } from '../../model/object-ref.ts';

/**
 * The object of a file that a tool made another of, so far as their names tell: tools put text before and after a name.
 * Undefined where none or more than one could be meant.
 */
export function locateObject(file: ManifestFile, { kind, name }: ObjectRef): ManifestObject | undefined {
  const similar = file.objects.filter(({ ref }) => ref.kind === kind && name.includes(ref.name));
  const longest = Math.max(...similar.map(({ ref }) => ref.name.length));
  const [first, second] = similar.filter(({ ref }) => ref.name.length === longest);
  return second === undefined ? first : undefined;
}
