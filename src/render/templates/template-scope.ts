import type { TemplateData } from './template-data.ts';

/** A template reads what only the cluster's server can tell, and that was never asked. */
export class FactUnknown extends Error {
  constructor(name: string) {
    super(`cluster.${name} is not known, since the cluster has not been reached yet`);
  }
}

const facts = ['version', 'kubeVersion', 'apiVersions'] as const;

/**
 * The variables of a template. What is not known of the server throws FactUnknown when it is read: as a mere missing
 * value, `default` and `if` would take it for an answer, and leave out objects that the cluster should keep.
 */
export function scopeOf({ cluster, fleet, params, item }: TemplateData): Readonly<Record<string, unknown>> {
  const known: object = { ...cluster };
  for (const name of facts) {
    if (cluster[name] !== undefined) continue;
    const get = (): never => {
      throw new FactUnknown(name);
    };
    Object.defineProperty(known, name, { get, enumerable: true });
  }
  return { cluster: known, fleet, params, ...(item === undefined ? {} : { item }) };
}
