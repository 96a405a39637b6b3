import { z } from 'zod';

import { defined } from '../../model/defined.ts';
import { stringAt } from '../../model/json.ts';
import { type DocumentContext, parseDocument, type Parsed } from '../parse-document.ts';
import { faultOfName } from '../schema/label-syntax.ts';
import {
  annotationsSchema,
  apiVersion,
  checkedText,
  labelsSchema,
  nameSchema,
  strict,
} from '../schema/schema.ts';
import { selectorSchema } from '../schema/selector-schema.ts';
import { generatorSyncSchema } from '../schema/sync-schema.ts';
import type { YamlDocument } from '../yaml/parse-manifests.ts';
import { anyObject } from './any-object.ts';
import { conditionSchema } from './condition.ts';
import { eachSchema } from './each-schema.ts';
import type { Generator, Override } from './generator.ts';
import { patchSchema } from './patch-schema.ts';
import { renderSchema } from './render-schema.ts';

const overrideSchema = strict({
  clusterSelector: selectorSchema,
  when: conditionSchema.optional(),
  parameters: anyObject.default({}),
  patches: z.array(patchSchema).default([]),
}).transform((override): Override => defined(override));

const sourcePath = checkedText((path) => {
  if (path === '') return 'must not be empty';
  if (path.startsWith('/')) return 'must be relative to the fleet’s root';
  return path.split('/').includes('..') ? 'must not leave the fleet’s root' : undefined;
});

/** A template's result is checked where it is rendered. */
const namespace = checkedText((text) => (text.includes('{') ? undefined : faultOfName(text, 63)));

const generatorSchema = strict({
  apiVersion: z.literal(apiVersion, { error: `must be ${apiVersion}` }),
  kind: z.literal('Generator', { error: 'must be Generator: only generators belong in generators/' }),
  metadata: strict({
    name: nameSchema,
    labels: labelsSchema.optional(),
    annotations: annotationsSchema.optional(),
  }),
  spec: strict({
    clusterSelector: selectorSchema,
    when: conditionSchema.optional(),
    source: strict({ path: sourcePath, optional: z.boolean().default(false) }),
    render: renderSchema.prefault({}),
    namespace: namespace.optional(),
    parameters: anyObject.default({}),
    each: eachSchema.optional(),
    overrides: z.array(overrideSchema).default([]),
    dependsOn: z.array(nameSchema).default([]),
    sync: generatorSyncSchema.prefault({}),
  }),
}).transform(({ metadata, spec: { source, ...spec } }): Generator =>
  defined({ ...spec, name: metadata.name, sourcePath: source.path, optional: source.optional }),
);

/** kind Generator. */
export function parseGenerator(document: YamlDocument, context: DocumentContext): Parsed<Generator> {
  const generator = stringAt(document.value, 'metadata', 'name') ?? '';
  return parseDocument(generatorSchema, document, { ...context, generator });
}
