/** What an annotation names: an object of a group and kind, whatever the version. */
export interface DependencyRef {
  /** As refKey makes it. */
  readonly key: string;
  /** As it is written. */
  readonly text: string;
}

export type ParsedDependencies =
  | { readonly ok: true; readonly refs: readonly DependencyRef[] }
  | { readonly ok: false; readonly message: string };

/**
 * The objects that `config.kubernetes.io/depends-on` names, separated by commas: `group/kind/name`, or
 * `group/namespaces/namespace/kind/name`. The core group is empty: `/namespaces/shop/Service/db`.
 * Source: sigs.k8s.io/cli-utils, pkg/object/dependson.
 */
export function parseDependsOn(text: string): ParsedDependencies {
  const refs: DependencyRef[] = [];
  for (const part of text.split(',')) {
    const written = part.trim();
    const key = keyOf(written.split('/'));
    if (key === undefined) {
      const message = `${JSON.stringify(written)} names no object: write group/kind/name or group/namespaces/namespace/kind/name`;
      return { ok: false, message };
    }
    refs.push({ key, text: written });
  }
  return { ok: true, refs };
}

function keyOf(parts: readonly string[]): string | undefined {
  const [group = '', second = '', third = '', kind = '', name = ''] = parts;
  if (parts.length === 3 && second !== '' && third !== '') return `${groupKind(group, second)}//${third}`;
  const isNamespaced =
    parts.length === 5 && second === 'namespaces' && third !== '' && kind !== '' && name !== '';
  return isNamespaced ? `${groupKind(group, kind)}/${third}/${name}` : undefined;
}

function groupKind(group: string, kind: string): string {
  return group === '' ? kind : `${kind}.${group}`;
}
