import { didYouMean } from '../../../config/schema/suggestion.ts';
import { formatPath } from '../../../config/parse-document.ts';
import {
  arrayAt,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectAt,
  stringAt,
} from '../../../model/json.ts';
import { checkList } from './check-list.ts';
import { type CheckContext, faultOfType, faultsOfScalar, warningOfNumber } from './check-scalar.ts';
import type { Schema } from './kubernetes-schemas.ts';
import { textsAt } from './texts-at.ts';
import { type FieldPath, type Violation, violationAt } from './violation.ts';

/** Unknown fields of one map that are told what they may be meant for; with more, the map is meant for something else. */
const maxSuggestions = 20;
const embeddedFields = ['apiVersion', 'kind', 'metadata'];

/**
 * Everything in a value that its schema does not allow, as a server with field validation would refuse it.
 *
 * A walk of our own rather than compiled JSON Schema: schemas of Kubernetes are structural, so that one walk knows for
 * each field what it may be, while a general validator answers with all branches of each `oneOf`, knows nothing of
 * lists that are maps, and takes half a second to compile the schema of a Deployment (ajv 8) that the walk reads in a
 * millisecond.
 */
export function checkValue(
  value: JsonValue,
  schema: Schema,
  place: { readonly path: FieldPath; readonly context: CheckContext },
): Violation[] {
  const { path, context } = place;
  const resolved = resolveSchema(schema, context);
  if (value === null && (context.kind === 'builtIn' || resolved['nullable'] === true)) return [];
  const wrongType = faultOfType(value, resolved, context.show);
  if (wrongType !== undefined) return [violationAt(path, wrongType)];
  const own = Array.isArray(value)
    ? checkList(value, resolved, { path, context, checkItem: checkValue })
    : isJsonObject(value)
      ? checkMap(value, resolved, place)
      : checkScalar(value, resolved, place);
  return [...own, ...checkJunctors(value, resolved, place)];
}

function checkScalar(
  value: JsonValue,
  schema: Schema,
  { path, context }: { readonly path: FieldPath; readonly context: CheckContext },
): Violation[] {
  const faults = faultsOfScalar(value, schema, context).map((message) => violationAt(path, message));
  const warning = warningOfNumber(value, schema, context);
  return warning === undefined ? faults : [...faults, violationAt(path, warning, { isWarning: true })];
}

export function resolveSchema(schema: Schema, { definitions }: Pick<CheckContext, 'definitions'>): Schema {
  const name = stringAt(schema, '$ref');
  return name === undefined ? schema : objectAt(definitions, name);
}

function checkMap(
  value: JsonObject,
  schema: Schema,
  place: { readonly path: FieldPath; readonly context: CheckContext },
): Violation[] {
  const { path, context } = place;
  const properties = objectAt(schema, 'properties');
  const { additionalProperties } = schema;
  const violations: Violation[] = [];
  let unknown = 0;
  for (const [key, entry] of Object.entries(value)) {
    const property = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    if (!isJsonObject(property)) {
      if (isOpen(schema, key)) continue;
      const known = ++unknown > maxSuggestions ? [] : Object.keys(properties);
      violations.push(unknownField([...path, key], known));
    } else if (!isDropped(entry, property, context)) {
      violations.push(...checkValue(entry, property, { path: [...path, key], context }));
    }
  }
  for (const field of textsAt(schema, 'required')) {
    if (isMissing(value, field, { properties, context }))
      violations.push(violationAt([...path, field], 'Required value'));
  }
  return [...violations, ...faultsOfSize(value, schema).map((message) => violationAt(path, message))];
}

/** Whether a map takes keys that its schema does not name. */
function isOpen(schema: Schema, key: string): boolean {
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return true;
  if (schema['x-kubernetes-embedded-resource'] === true && embeddedFields.includes(key)) return true;
  // A schema that says nothing of a map, as in a junctor, forbids nothing.
  const isSilent = schema['properties'] === undefined && schema['additionalProperties'] === undefined;
  return schema['additionalProperties'] === true || (isSilent && schema['type'] === undefined);
}

function unknownField(path: FieldPath, known: readonly string[]): Violation {
  const hint = didYouMean(String(path.at(-1)), known);
  return { path, message: `unknown field "${formatPath(path)}"${hint}`, isUnknown: true };
}

/** The server puts the default in the place of a null for which the schema has no room. */
function isDropped(value: JsonValue, schema: Schema, { kind }: CheckContext): boolean {
  return (
    kind === 'custom' && value === null && schema['nullable'] !== true && schema['default'] !== undefined
  );
}

function isMissing(
  value: JsonObject,
  field: string,
  { properties, context }: { readonly properties: JsonObject; readonly context: CheckContext },
): boolean {
  const schema = objectAt(properties, field);
  if (schema['default'] !== undefined) return false;
  const entry = Object.hasOwn(value, field) ? value[field] : undefined;
  return entry === undefined || (entry === null && context.kind === 'builtIn');
}

function faultsOfSize(value: JsonObject, { minProperties, maxProperties }: Schema): string[] {
  const size = Object.keys(value).length;
  return [
    ...(typeof minProperties === 'number' && size < minProperties
      ? [`Invalid value: should have at least ${minProperties} properties`]
      : []),
    ...(typeof maxProperties === 'number' && size > maxProperties
      ? [`Too many: ${size}: must have at most ${maxProperties} items`]
      : []),
  ];
}

/** allOf, anyOf, oneOf and not say more of a value whose fields the schema around them names. */
function checkJunctors(
  value: JsonValue,
  schema: Schema,
  place: { readonly path: FieldPath; readonly context: CheckContext },
): Violation[] {
  if (place.context.kind === 'builtIn' || schema['x-kubernetes-int-or-string'] === true) return [];
  const faults = (branch: JsonValue): Violation[] =>
    isJsonObject(branch) ? checkValue(value, openBranch(branch), place) : [];
  const count = (key: string): number | undefined => {
    const branches = arrayAt(schema, key);
    return branches.length === 0
      ? undefined
      : branches.filter((branch) => faults(branch).length === 0).length;
  };
  const messages: string[] = [];
  if (count('anyOf') === 0) messages.push('must validate at least one schema (anyOf)');
  const one = count('oneOf');
  if (one !== undefined && one !== 1) messages.push('must validate one and only one schema (oneOf)');
  const { not } = schema;
  if (isJsonObject(not) && faults(not).length === 0) messages.push('must not validate the schema (not)');
  return [
    ...arrayAt(schema, 'allOf').flatMap(faults),
    ...messages.map((message) =>
      violationAt(place.path, `Invalid value: ${place.context.show(value)}: ${message}`),
    ),
  ];
}

/** A branch names only the fields that it is about. */
function openBranch(branch: JsonObject): JsonObject {
  const properties = objectAt(branch, 'properties');
  return {
    ...branch,
    'x-kubernetes-preserve-unknown-fields': true,
    ...(branch['properties'] !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, entry]) => [
          key,
          isJsonObject(entry) ? openBranch(entry) : entry,
        ]),
      ),
    }),
    ...(isJsonObject(branch['items']) && { items: openBranch(branch['items']) }),
  };
}
