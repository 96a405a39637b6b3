import { formatPath } from '../../../config/parse-document.ts';
import type { JsonValue } from '../../../model/json.ts';

export type FieldPath = readonly (string | number)[];

/** A field of an object that a server would refuse, in words like the server's. */
export interface Violation {
  /** The field; one that is missing, too. */
  readonly path: FieldPath;
  readonly message: string;
  /** The server takes it, and makes something else of it. */
  readonly isWarning?: true;
  /** There is no such field: its key is what is wrong, not its value. */
  readonly isUnknown?: true;
}

/** 'spec.replicas: Invalid value: …' */
export function violationAt(path: FieldPath, message: string, { isWarning = false } = {}): Violation {
  const text = path.length === 0 ? message : `${formatPath(path)}: ${message}`;
  return { path, message: text, ...(isWarning && { isWarning }) };
}

const maxShown = 60;

/** A value in a message, cut to what a line can hold. */
export function shown(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}
