import { type ErrorCode, errorCodes, type Retry } from './error-codes.ts';
import type { ObjectRef } from './object-ref.ts';
import { formatOrigin, type Origin } from './origin.ts';

/** What an error is about; each part where it is known. */
export interface Subject {
  readonly cluster?: string;
  readonly ref?: ObjectRef;
  readonly origin?: Origin;
}

export interface FleetErrorOptions extends Subject {
  readonly cause?: unknown;
  /** The code's own retry unless this says otherwise. */
  readonly retry?: Retry;
  /** How long the server asked us to wait. */
  readonly retryAfterMs?: number;
}

/**
 * The one error class. `message` is for people, holds no secret, and does not repeat the subject;
 * `describe()` puts the two together.
 */
export class FleetError extends Error {
  readonly code: ErrorCode;
  readonly subject: Subject;
  readonly retry: Retry;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, options: FleetErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'FleetError';
    this.code = code;
    this.subject = {
      ...(options.cluster === undefined ? {} : { cluster: options.cluster }),
      ...(options.ref === undefined ? {} : { ref: options.ref }),
      ...(options.origin === undefined ? {} : { origin: options.origin }),
    };
    this.retry = options.retry ?? errorCodes[code].retry;
    this.retryAfterMs = options.retryAfterMs;
  }

  /** The same error with more of its subject known; what is set already stays. */
  about(subject: Subject): FleetError {
    return new FleetError(this.code, this.message, {
      ...subject,
      ...this.subject,
      cause: this.cause,
      retry: this.retry,
      ...(this.retryAfterMs === undefined ? {} : { retryAfterMs: this.retryAfterMs }),
    });
  }

  /** 'apps/web.yaml:3:5: ManifestInvalid: …' */
  describe(): string {
    const at = this.subject.origin === undefined ? '' : `${formatOrigin(this.subject.origin)}: `;
    return `${at}${this.code}: ${this.message}`;
  }
}

/** Any thrown value as a FleetError; what is not one already is a fault of ours. */
export function toFleetError(thrown: unknown, subject: Subject = {}): FleetError {
  if (thrown instanceof FleetError) return thrown.about(subject);
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new FleetError('Internal', message, { ...subject, cause: thrown });
}
