import type { ErrorCode } from './error-codes.ts';
import type { FleetError } from './fleet-error.ts';
import type { ObjectRef } from './object-ref.ts';
import type { WarningCode } from './warning-codes.ts';

/** A file or folder from the fleet's root, and where in it. Lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly document?: number;
  /** Missing for what concerns a folder, or a file as a whole. */
  readonly line?: number;
  readonly column?: number;
}

/** One thing that `validate` found. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly code: ErrorCode | WarningCode;
  readonly message: string;
  /** Missing for what no file says, such as a fault of the registry. */
  readonly place?: Place;
  /** See Origin. */
  readonly generator?: string;
  readonly ref?: ObjectRef;
  /** For which clusters it was found, where that is not all that were looked at; sorted. */
  readonly clusters?: readonly string[];
}

/** An error that was met, as a finding. */
export function findingOf({ code, message, subject }: FleetError): Finding {
  const { origin, ref } = subject;
  const base = { severity: 'error', code, message, ...(ref !== undefined && { ref }) } as const;
  if (origin === undefined) return base;
  const { generator, ...place } = origin;
  return { ...base, place, ...(generator !== '' && { generator }) };
}

/** 'apps/web.yaml:3:5' */
export function formatPlace({ file, line, column }: Place): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}
