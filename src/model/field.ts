import type { JsonValue } from './json.ts';

/** Who wrote a field last, as metadata.managedFields tells. */
export interface FieldManager {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly subresource?: string;
  /** RFC 3339. Writes through a subresource such as scale carry none. */
  readonly time?: string;
}

/** One field that differs. `desired` missing: Git does not set it; `live` missing: the cluster does not have it. */
export interface FieldDifference {
  /** '.spec.template.spec.containers[name=web].image'; keys that are no plain words are quoted: '.data["app.conf"]'. */
  readonly path: string;
  readonly desired?: JsonValue;
  readonly live?: JsonValue;
  readonly changedBy: readonly FieldManager[];
}
