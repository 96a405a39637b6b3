import { arrayAt, isJsonObject, type JsonObject, objectAt, stringAt } from '../../../model/json.ts';
import type { CheckContext } from './check-scalar.ts';
import { checkValue } from './check-value.ts';
import type { Schema } from './kubernetes-schemas.ts';
import { textsAt } from './texts-at.ts';
import { type FieldPath, type Violation, violationAt } from './violation.ts';

/** Words of JSON Schema that a structural schema may not have. */
const forbidden = [
  '$ref',
  'definitions',
  'dependencies',
  'deprecated',
  'id',
  'patternProperties',
  'discriminator',
  'readOnly',
  'writeOnly',
  'xml',
];

/**
 * What a server refuses in a CustomResourceDefinition whose fields are right: its name, its versions, and schemas that
 * are not structural. Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation and pkg/apiserver/schema.
 */
export function checkDefinition(definition: JsonObject, context: CheckContext): Violation[] {
  const versions = arrayAt(definition, 'spec', 'versions');
  const stored = versions.filter((version) => isJsonObject(version) && version['storage'] === true);
  const path = ['spec', 'versions'];
  return [
    ...checkNames(definition),
    ...(stored.length === 1
      ? []
      : [violationAt(path, 'Invalid value: must have exactly one version marked as storage version')]),
    ...versions.flatMap((version, index) => {
      const schema = isJsonObject(version) ? objectAt(version, 'schema')['openAPIV3Schema'] : undefined;
      const at = [...path, index, 'schema', 'openAPIV3Schema'];
      if (!isJsonObject(schema)) return [violationAt(at, 'Required value: schemas are required')];
      return [...checkRoot(schema, at), ...checkStructural(schema, { path: at, context })];
    }),
  ];
}

function checkNames(definition: JsonObject): Violation[] {
  const plural = stringAt(definition, 'spec', 'names', 'plural') ?? '';
  const group = stringAt(definition, 'spec', 'group') ?? '';
  const name = stringAt(definition, 'metadata', 'name') ?? '';
  if (name === `${plural}.${group}`) return [];
  const message = `Invalid value: ${JSON.stringify(name)}: must be spec.names.plural+"."+spec.group`;
  return [violationAt(['metadata', 'name'], message)];
}

function checkRoot(schema: Schema, path: FieldPath): Violation[] {
  const { type = null } = schema;
  if (type === 'object' || type === null || type === '') return [];
  return [violationAt([...path, 'type'], 'Invalid value: must be object at the root')];
}

interface Place {
  readonly path: FieldPath;
  readonly context: CheckContext;
}

/** A schema is structural when it says for each field what it is, and says it outside of allOf, anyOf, oneOf and not. */
function checkStructural(schema: Schema, { path, context }: Place): Violation[] {
  const { properties, items, additionalProperties } = schema;
  const below = (child: unknown, ...steps: (string | number)[]): Violation[] =>
    isJsonObject(child) ? checkStructural(child, { path: [...path, ...steps], context }) : [];
  return [
    ...checkWords(schema, path),
    ...checkDefault(schema, { path, context }),
    ...Object.entries(isJsonObject(properties) ? properties : {}).flatMap(([key, child]) =>
      below(child, 'properties', key),
    ),
    ...below(items, 'items'),
    ...below(additionalProperties, 'additionalProperties'),
  ];
}

function checkWords(schema: Schema, path: FieldPath): Violation[] {
  const { type, properties, items, additionalProperties } = schema;
  const isOpen =
    schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const fault = (key: string, message: string): Violation => violationAt([...path, key], message);
  return [
    ...(type === undefined && !isOpen
      ? [fault('type', 'Required value: must not be empty for specified object fields')]
      : []),
    ...(type === 'array' && !isJsonObject(items)
      ? [fault('items', 'Required value: must be specified')]
      : []),
    ...(isJsonObject(properties) && additionalProperties !== undefined && Object.keys(properties).length > 0
      ? [fault('additionalProperties', 'Forbidden: additionalProperties and properties are mutual exclusive')]
      : []),
    ...(additionalProperties === false
      ? [fault('additionalProperties', 'Forbidden: must not be false')]
      : []),
    ...(schema['uniqueItems'] === true
      ? [
          fault(
            'uniqueItems',
            'Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
          ),
        ]
      : []),
    ...forbidden
      .filter((key) => schema[key] !== undefined)
      .map((key) => fault(key, 'Forbidden: must not be set')),
    ...checkListWords(schema, path),
  ];
}

function checkListWords(schema: Schema, path: FieldPath): Violation[] {
  if (schema['x-kubernetes-list-type'] !== 'map') return [];
  const keys = textsAt(schema, 'x-kubernetes-list-map-keys');
  const at = [...path, 'x-kubernetes-list-map-keys'];
  if (keys.length === 0)
    return [violationAt(at, 'Required value: must not be empty if x-kubernetes-list-type is map')];
  const properties = objectAt(schema, 'items', 'properties');
  const required = textsAt(schema, 'items', 'required');
  return keys.flatMap((key) => {
    if (!Object.hasOwn(properties, key))
      return [
        violationAt(
          at,
          `Invalid value: ${JSON.stringify(key)}: entries must all be names of item properties`,
        ),
      ];
    const isSet = required.includes(key) || objectAt(properties, key)['default'] !== undefined;
    return isSet
      ? []
      : [
          violationAt(
            [...path, 'items', 'properties', key, 'default'],
            'Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
          ),
        ];
  });
}

function checkDefault(schema: Schema, { path, context }: Place): Violation[] {
  const { default: value, ...rest } = schema;
  if (value === undefined || value === null) return [];
  const at = [...path, 'default'];
  return checkValue(value, rest, { path: at, context: { ...context, kind: 'custom' } });
}
