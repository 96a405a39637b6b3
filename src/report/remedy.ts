import { errorCodes } from '../model/error-codes.ts';
import type { FleetError } from '../model/fleet-error.ts';

/** What to do about an error; nothing where the remedy of its code speaks of a file and the error has none. */
export function remedyOf({ code, subject }: FleetError): string | undefined {
  if (code === 'ConfigInvalid' && subject.origin === undefined) return undefined;
  return errorCodes[code].remedy;
}
