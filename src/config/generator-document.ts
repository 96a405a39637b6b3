import { z } from 'zod';

import type { GeneratorSyncPolicy } from '../model/desired.ts';
import type { JsonObject, JsonValue } from '../model/json.ts';
import type { LabelSelector } from '../model/selector.ts';
import { type DocumentContext, parseDocument, type Parsed } from './parse-document.ts';
import type { YamlDocument } from './yaml/parse-manifests.ts';
import {
  annotationsSchema,
  apiVersion,
  checkedText,
  labelsSchema,
  nameSchema,
  nonEmpty,
  oneOf,
  strict,
} from './schema/schema.ts';
import { faultOfName } from './schema/label-syntax.ts';
import { selectorSchema } from './schema/selector-schema.ts';
import { generatorSyncSchema } from './schema/sync-schema.ts';

export type RenderType = 'auto' | 'plain' | 'template';

/** Which objects a patch is for: every part that is given must hold. */
export interface PatchTarget {
  readonly apiVersion?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
}

export interface Patch {
  readonly target: PatchTarget;
  /** RFC 7396. */
  readonly merge: JsonObject;
  /** A target that matches nothing is a fault unless this is set. */
  readonly optional: boolean;
}

export interface Override {
  /** Which of the generator's clusters this is for. */
  readonly clusterSelector: LabelSelector;
  readonly parameters: JsonObject;
  readonly patches: readonly Patch[];
}

/** A generator as its file says it, with every default filled in. */
export interface Generator {
  readonly name: string;
  readonly clusterSelector: LabelSelector;
  /** A folder or file from the fleet's root; may hold `{{ cluster.name }}` and the like. */
  readonly sourcePath: string;
  /** A source that does not exist gives nothing instead of a fault. */
  readonly optional: boolean;
  readonly renderType: RenderType;
  /** Namespace for namespaced objects that name none. */
  readonly namespace: string;
  readonly parameters: JsonObject;
  readonly overrides: readonly Override[];
  readonly dependsOn: readonly string[];
  readonly sync: GeneratorSyncPolicy;
}

/** Any JSON as it stands: zod must not copy it, since it would drop keys such as '__proto__'. */
const anyObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  {
    error: 'must be a map',
  },
);

const notYet = (what: string) =>
  z
    .custom<JsonValue | undefined>()
    .optional()
    .superRefine((value, context) => {
      if (value !== undefined) context.addIssue({ code: 'custom', message: `${what} not supported yet` });
    });

const targetSchema = strict({
  apiVersion: nonEmpty.optional(),
  group: z.string().optional(),
  kind: nonEmpty.optional(),
  namespace: nonEmpty.optional(),
  name: nonEmpty.optional(),
}).transform((target, context): PatchTarget => {
  const given = Object.entries(target).filter(([, value]) => value !== undefined);
  if (given.length === 0) {
    context.addIssue({
      code: 'custom',
      message: 'must name at least one of apiVersion, group, kind, namespace, name',
    });
  }
  return Object.fromEntries(given);
});

const patchSchema = strict({
  target: targetSchema,
  merge: anyObject.optional(),
  json: notYet('JSON patches are'),
  optional: z.boolean().default(false),
}).transform(({ target, merge, json, optional }, context): Patch => {
  if (merge === undefined && json === undefined) {
    context.addIssue({ code: 'custom', message: 'a patch needs merge' });
  }
  return { target, merge: merge ?? {}, optional };
});

const overrideSchema = strict({
  clusterSelector: selectorSchema,
  parameters: anyObject.default({}),
  patches: z.array(patchSchema).default([]),
});

const renderSchema = strict({
  type: oneOf(['auto', 'plain', 'template', 'kustomize', 'helm']).default('auto'),
}).transform(({ type }, context): RenderType => {
  if (type !== 'kustomize' && type !== 'helm') return type;
  context.addIssue({ code: 'custom', message: `${type} is not supported yet`, path: ['type'] });
  return z.NEVER;
});

const sourcePath = checkedText((path) => {
  if (path === '') return 'must not be empty';
  if (path.startsWith('/')) return 'must be relative to the fleet’s root';
  return path.split('/').includes('..') ? 'must not leave the fleet’s root' : undefined;
});

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
    source: strict({ path: sourcePath, optional: z.boolean().default(false) }),
    render: renderSchema.prefault({}),
    namespace: checkedText((name) => faultOfName(name, 63)).default('default'),
    parameters: anyObject.default({}),
    each: notYet('"each" is'),
    when: notYet('"when" is'),
    overrides: z.array(overrideSchema).default([]),
    dependsOn: z.array(nameSchema).default([]),
    sync: generatorSyncSchema.prefault({}),
  }),
}).transform(({ metadata, spec }): Generator => ({
  name: metadata.name,
  clusterSelector: spec.clusterSelector,
  sourcePath: spec.source.path,
  optional: spec.source.optional,
  renderType: spec.render,
  namespace: spec.namespace,
  parameters: spec.parameters,
  overrides: spec.overrides,
  dependsOn: spec.dependsOn,
  sync: spec.sync,
}));

/** kind Generator. */
export function parseGenerator(document: YamlDocument, context: DocumentContext): Parsed<Generator> {
  const name = document.value['metadata'];
  const generator =
    typeof name === 'object' && name !== null && 'name' in name && typeof name['name'] === 'string'
      ? name['name']
      : '';
  return parseDocument(generatorSchema, document, { ...context, generator });
}
