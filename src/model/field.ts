import type { JsonValue } from './json.ts';
import type { ObjectRef } from './object-ref.ts';

/**
 * Who wrote a field last, as metadata.managedFields tells; or who deleted an object, as only the API server's audit
 * log tells.
 */
export interface FieldManager {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update' | 'Delete';
  readonly subresource?: string;
  /** RFC 3339. Writes through a subresource such as scale carry none. */
  readonly time?: string;
  /** The user that sent the request, where an audit log tells. */
  readonly user?: string;
  /** Where it came from, the user's own address first, then those of the proxies between. */
  readonly sourceIPs?: readonly string[];
  /** What was deleted, where the object only went with it: its namespace. */
  readonly target?: ObjectRef;
}

/** One field that differs. `desired` missing: Git does not set it; `live` missing: the cluster does not have it. */
export interface FieldDifference {
  /** '.spec.template.spec.containers[name=web].image'; keys that are no plain words are quoted: '.data["app.conf"]'. */
  readonly path: string;
  readonly desired?: JsonValue;
  readonly live?: JsonValue;
  readonly changedBy: readonly FieldManager[];
}
