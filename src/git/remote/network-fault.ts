import { FleetError } from '../../model/fleet-error.ts';
import type { GitTimeouts } from '../git-source.ts';

/**
 * Why a request got no answer, for people: 'https://git.example/fleet.git refused the connection'.
 * Nothing of the original error goes along, so that no header or URL can.
 */
export function networkFault(error: unknown, shown: string, timeouts: GitTimeouts): FleetError {
  return new FleetError('GitUnavailable', `${shown} ${explain(codeOf(error), timeouts)}`);
}

function explain(code: string, timeouts: GitTimeouts): string {
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `cannot be found: its host name does not resolve (${code})`;
    case 'ECONNREFUSED':
      return 'refused the connection';
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return `did not accept a connection within ${inSeconds(timeouts.connectMs)}`;
    case 'UND_ERR_HEADERS_TIMEOUT':
      return `did not answer within ${inSeconds(timeouts.firstByteMs)}`;
    case 'UND_ERR_BODY_TIMEOUT':
      return `fell silent for ${inSeconds(timeouts.idleMs)} in the middle of its answer`;
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return 'closed the connection before its answer was complete';
    default:
      return /CERT|ALTNAME|SIGNED|ERR_TLS|ERR_SSL|EPROTO/.test(code)
        ? `has a TLS certificate or setup that is not trusted (${code})`
        : `could not be read (${code})`;
  }
}

/** 1500 → '1.5 s' */
export function inSeconds(ms: number): string {
  return `${ms / 1000} s`;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown fault';
  if ('code' in error && typeof error.code === 'string') return error.code;
  // happy-eyeballs reports every address that it tried; the first tells enough.
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error.cause instanceof Error ? codeOf(error.cause) : error.name;
}
