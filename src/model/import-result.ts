import type { FleetError } from './fleet-error.ts';
import type { JsonObject } from './json.ts';
import type { Origin } from '../model/origin.ts';

/**
 * unsupported: it has no equal, and what it did is not done.
 * changed: it was translated, and means something else in a detail, or asks for something elsewhere.
 * dropped: it was left out, as nothing like it is needed here.
 */
export type FindingKind = 'unsupported' | 'changed' | 'dropped';

/** What a translation has to say of one key of a foreign document. */
export interface Finding {
  readonly kind: FindingKind;
  /** The key's path in its document, 'spec.template.spec.project'; '' for the document as a whole. */
  readonly path: string;
  readonly message: string;
  /** What a person can do about it, where there is something to do. */
  readonly remedy?: string;
  readonly origin: Origin;
}

export interface ImportedGenerator {
  readonly name: string;
  /** A document of kind Generator. */
  readonly document: JsonObject;
  /** The document it was made of. */
  readonly origin: Origin;
}

/** What was made of documents of another tool. */
export interface ImportResult {
  /** How many documents were read. */
  readonly documents: number;
  readonly generators: readonly ImportedGenerator[];
  /** In the order of the files. */
  readonly findings: readonly Finding[];
  /** What is wrong with the files themselves. */
  readonly faults: readonly FleetError[];
}
