import { arrayAt, type JsonValue, stringAt, valueAt } from '../model/json.ts';

export interface StatusCause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

/** A Status object, as an API server answers when it refuses. Source: k8s.io/apimachinery meta/v1 Status. */
export interface Status {
  readonly message: string;
  readonly reason: string;
  /** What it is about; both '' where the Status is about no single object. */
  readonly kind: string;
  readonly name: string;
  readonly causes: readonly StatusCause[];
  readonly retryAfterSeconds: number | undefined;
}

/** Reads a parsed body as a Status; undefined when it is something else. */
export function parseStatus(body: JsonValue | undefined): Status | undefined {
  if (stringAt(body, 'kind') !== 'Status') return undefined;
  const seconds = valueAt(body, 'details', 'retryAfterSeconds');
  return {
    message: stringAt(body, 'message') ?? '',
    reason: stringAt(body, 'reason') ?? '',
    kind: stringAt(body, 'details', 'kind') ?? '',
    name: stringAt(body, 'details', 'name') ?? '',
    causes: arrayAt(body, 'details', 'causes').map((cause) => ({
      reason: stringAt(cause, 'reason') ?? '',
      message: stringAt(cause, 'message') ?? '',
      field: stringAt(cause, 'field') ?? '',
    })),
    retryAfterSeconds: typeof seconds === 'number' ? seconds : undefined,
  };
}

/** A field that another manager owns, as a refused apply without force tells. */
export interface FieldConflict {
  readonly manager: string;
  /** As the server writes it: '.data.a'. */
  readonly field: string;
}

/** The conflicts in a Status: 'conflict with "kubectl-edit" with subresource "scale" using apps/v1' names the manager. */
export function fieldConflicts(status: Status): FieldConflict[] {
  return status.causes
    .filter((cause) => cause.reason === 'FieldManagerConflict')
    .map((cause) => ({
      manager: /^conflict with "((?:[^"\\]|\\.)*)"/.exec(cause.message)?.[1] ?? '',
      field: cause.field,
    }));
}
