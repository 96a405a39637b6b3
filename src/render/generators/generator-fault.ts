import { valueAtPath } from '../../config/parse-document.ts';
import type { ErrorCode } from '../../model/error-codes.ts';
import { FleetError } from '../../model/fleet-error.ts';
import type { Origin } from '../../model/origin.ts';
import type { ValidEntry } from '../repository/fleet-repository.ts';

/** A place in a generator's definition: keys and indexes from the document's root. */
export type GeneratorPath = readonly (string | number)[];

/** Where a part of a generator stands in its file: a text itself, and anything larger by its key. */
export function originIn({ generator, file, document }: ValidEntry, path: GeneratorPath): Origin {
  const part = typeof valueAtPath(document.value, path) === 'string' ? 'value' : 'key';
  const { line, column } = document.locate(path, part);
  return { generator: generator.name, file, document: document.document, line, column };
}

/** Something that shows only when a generator is rendered, at its place in the generator's file. */
export function generatorFault(
  entry: ValidEntry,
  message: string,
  { path, code = 'RenderFailed' }: { readonly path: GeneratorPath; readonly code?: ErrorCode },
): FleetError {
  return new FleetError(code, message, { origin: originIn(entry, path) });
}
