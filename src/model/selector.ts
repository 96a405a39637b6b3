/** A label selector with the semantics of metav1.LabelSelector: all parts must hold; an empty one matches everything. */
export interface LabelSelector {
  readonly matchLabels: Readonly<Record<string, string>>;
  readonly matchExpressions: readonly LabelRequirement[];
}

export type LabelRequirement =
  | { readonly key: string; readonly operator: 'In' | 'NotIn'; readonly values: readonly string[] }
  | { readonly key: string; readonly operator: 'Exists' | 'DoesNotExist' };

export type Labels = Readonly<Record<string, string>>;

/**
 * Whether labels satisfy a selector. As in Kubernetes, NotIn also holds where the key is absent.
 * Source: k8s.io/apimachinery pkg/labels, Requirement.Matches.
 */
export function matchesSelector(selector: LabelSelector, labels: Labels): boolean {
  const has = (key: string): boolean => Object.hasOwn(labels, key);
  return (
    Object.entries(selector.matchLabels).every(([key, value]) => has(key) && labels[key] === value) &&
    selector.matchExpressions.every((requirement) => {
      const value = has(requirement.key) ? labels[requirement.key] : undefined;
      switch (requirement.operator) {
        case 'In':
          return value !== undefined && requirement.values.includes(value);
        case 'NotIn':
          return value === undefined || !requirement.values.includes(value);
        case 'Exists':
          return value !== undefined;
        case 'DoesNotExist':
          return value === undefined;
      }
    })
  );
}
