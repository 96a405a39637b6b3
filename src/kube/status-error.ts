import type { ErrorCode } from '../model/error-codes.ts';
import { FleetError } from '../model/fleet-error.ts';
import type { JsonValue } from '../model/json.ts';
import {
  type FieldConflict,
  fieldConflicts,
  parseStatus,
  type Status,
  type StatusCause,
} from './api-status.ts';
import { maskSecretValues } from './mask-secret.ts';

/** A response that is no success. `body` is its text, `sent` the object that was sent. */
export interface FailedResponse {
  readonly httpStatus: number;
  readonly body: string;
  readonly retryAfter?: string | undefined;
  readonly sent?: unknown;
}

/** The cause of every FleetError that an API server's answer led to. Holds nothing of the object's content. */
export class ApiRefusal {
  readonly httpStatus: number;
  readonly reason: string;
  readonly conflicts: readonly FieldConflict[];

  constructor(httpStatus: number, reason: string, conflicts: readonly FieldConflict[]) {
    this.httpStatus = httpStatus;
    this.reason = reason;
    this.conflicts = conflicts;
  }
}

interface Rule {
  readonly code: ErrorCode;
  readonly when: (httpStatus: number, status: Status) => boolean;
}

const says = (pattern: RegExp) => (_: number, status: Status) => pattern.test(status.message);
const is = (expected: number) => (httpStatus: number) => httpStatus === expected;
const immutable =
  /immutable|may not change once set|cannot change roleRef|for fields other than|may not be changed/;

/**
 * The one table from refusals to codes; the first rule that holds decides. Order matters: an admission webhook may
 * answer with any status, and the object's own faults come as 400, 422 and, for server-side apply, 500.
 */
const rules: readonly Rule[] = [
  { code: 'ClusterUnauthorized', when: is(401) },
  {
    code: 'NamespaceTerminating',
    when: (_, status) => status.causes.some((cause) => cause.reason === 'NamespaceTerminating'),
  },
  {
    code: 'AdmissionDenied',
    when: says(/admission webhook ".*" (denied the request|does not support dry run)/s),
  },
  {
    code: 'AdmissionDenied',
    when: says(/failed calling webhook|ValidatingAdmissionPolicy '.*' with binding .* denied request/s),
  },
  {
    code: 'Forbidden',
    when: (http, status) => http === 403 && /User ".*" cannot |attempting to grant/s.test(status.message),
  },
  {
    code: 'AdmissionDenied',
    when: (http, status) => http === 403 && status.message.includes(' is forbidden: '),
  },
  { code: 'Forbidden', when: is(403) },
  { code: 'KindUnknown', when: (http, status) => http === 404 && status.name === '' },
  { code: 'DependencyFailed', when: is(404) },
  { code: 'OwnershipConflict', when: (http, status) => http === 409 && fieldConflicts(status).length > 0 },
  { code: 'ApplyConflict', when: is(409) },
  {
    code: 'FieldImmutable',
    when: (http, status) =>
      http === 422 &&
      status.causes.length > 0 &&
      status.causes.every((cause) => immutable.test(cause.message)),
  },
  {
    code: 'ObjectInvalid',
    when: says(/^failed to (create typed patch|convert new object)|^strict decoding error/),
  },
  {
    // Storage says it in two ways, as 500: the one of etcd, and the one of the client that etcd is spoken to by.
    code: 'ObjectInvalid',
    when: says(/etcdserver: request is too large|trying to send message larger than max/),
  },
  { code: 'RateLimited', when: is(429) },
  { code: 'DeadlineExceeded', when: (http, status) => http === 504 && status.reason === 'Timeout' },
  {
    code: 'ServerFailed',
    when: (http, status) => http >= 500 || http === 410 || status.reason === 'Expired',
  },
  { code: 'ObjectInvalid', when: () => true },
];

/** Any answer but a success as a FleetError. Values of a Secret that was sent are masked in its message. */
export function statusError(response: FailedResponse): FleetError {
  const status = parseStatus(parseJson(response.body));
  if (status === undefined) return plainError(response);
  const conflicts = fieldConflicts(status);
  const code = (
    rules.find((rule) => rule.when(response.httpStatus, status)) ?? { code: 'ServerFailed' as const }
  ).code;
  const retryAfterMs = retryAfterOf(response, status);
  return new FleetError(code, maskSecretValues(messageOf(status), response.sent), {
    cause: new ApiRefusal(response.httpStatus, status.reason, conflicts),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** Answers that are no Status: a path that is not served, a proxy's page, a full server. */
function plainError(response: FailedResponse): FleetError {
  const { httpStatus } = response;
  const cause = new ApiRefusal(httpStatus, '', []);
  const retryAfterMs = retryAfterOf(response, undefined);
  switch (httpStatus) {
    case 401:
      return new FleetError('ClusterUnauthorized', 'the API server does not accept our credentials', {
        cause,
      });
    case 403:
      return new FleetError('Forbidden', 'something before the API server forbids the request', { cause });
    case 404:
      return response.body.trim() === '404 page not found'
        ? new FleetError('KindUnknown', 'the API server does not serve this kind', { cause })
        : new FleetError('ClusterUnreachable', 'what answered with 404 is no API server', { cause });
    case 413:
      return new FleetError('ObjectInvalid', 'the object is larger than the API server accepts', { cause });
    case 429:
      return new FleetError('RateLimited', 'the API server asks for fewer requests', {
        cause,
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      });
    default:
      return new FleetError(
        'ClusterUnreachable',
        `something before the API server answered with ${httpStatus}`,
        { cause },
      );
  }
}

/** True when the API server is healthy and the object, or the namespace that it would be in, does not exist. */
export function isNotFound(error: unknown): boolean {
  return (
    refusalOf(error)?.httpStatus === 404 && error instanceof FleetError && error.code === 'DependencyFailed'
  );
}

/** True when the server no longer has, or does not yet have, the resourceVersion that was asked for. */
export function isExpired(error: unknown): boolean {
  const refusal = refusalOf(error);
  return (
    refusal !== undefined &&
    (refusal.httpStatus === 410 || refusal.reason === 'Expired' || refusal.reason === 'Gone')
  );
}

/** The fields that others own, where an apply without force was refused for them; otherwise empty. */
export function conflictsOf(error: unknown): readonly FieldConflict[] {
  return refusalOf(error)?.conflicts ?? [];
}

/** What the API server answered, for an error that came from an answer. */
export function refusalOf(error: unknown): ApiRefusal | undefined {
  return error instanceof FleetError && error.cause instanceof ApiRefusal ? error.cause : undefined;
}

function messageOf(status: Status): string {
  if (status.reason !== 'Invalid' || status.causes.length === 0) return shorten(status.message);
  const causes = status.causes.map(causeText);
  return causes.length === 1 ? (causes[0] ?? '') : `${causes.length} faults: ${causes.join('; ')}`;
}

function causeText(cause: StatusCause): string {
  const field = cause.field === '' || cause.field === '<nil>' ? '' : `${cause.field}: `;
  return `${field}${shorten(cause.message)}`;
}

/** An immutable pod template is quoted whole, thousands of characters long, before the one word that matters. */
function shorten(message: string): string {
  return message
    .replace(/Invalid value: (.{120})(.{80,})(: [^:]*)$/s, 'Invalid value: $1…$3')
    .slice(0, 2_000);
}

function retryAfterOf(response: FailedResponse, status: Status | undefined): number | undefined {
  const seconds = response.retryAfter === undefined ? status?.retryAfterSeconds : Number(response.retryAfter);
  return seconds === undefined || !Number.isFinite(seconds) || seconds < 0 ? undefined : seconds * 1_000;
}

function parseJson(text: string): JsonValue | undefined {
  try {
    // JSON.parse yields JSON values and nothing else.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
