import { readFileSync } from 'node:fs';

import { parseManifests } from '../../src/config/yaml/parse-manifests.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { withoutServerFields } from '../../src/render/manifests/server-fields.ts';
import { kindsDefinedBy } from '../../src/render/validate/schema/custom-kinds.ts';
import type { KnownKinds } from '../../src/render/validate/schema/check-object.ts';
import { loadKubernetesSchemas } from '../../src/render/validate/schema/load-kubernetes-schemas.ts';

/** Something wrong, and who finds it. */
export interface WrongManifest {
  readonly manifest: JsonObject;
  /** The message that validate gives; undefined where only a server can tell. */
  readonly message: string | undefined;
  readonly what: string;
}

/** The manifests in test/manifests/right.yaml. */
export function rightManifests(): JsonObject[] {
  return manifestsIn(textOf('right.yaml'));
}

/** The manifests in test/manifests/wrong.yaml; the comment over each says what is wrong. */
export function wrongManifests(): WrongManifest[] {
  return textOf('wrong.yaml')
    .split(/^---$/m)
    .map((text) => {
      const [, who = '', what = ''] = /^# (offline|server): (.*)$/m.exec(text) ?? [];
      const [manifest] = manifestsIn(text);
      if (manifest === undefined || who === '') throw new Error(`no manifest, or no comment: ${text}`);
      return { manifest, what, message: who === 'offline' ? what : undefined };
    });
}

/** The definition of the custom kind that both files use. */
export function widgetDefinition(): JsonObject {
  return manifestsIn(textOf('widget-definition.yaml'))[0]!;
}

/** The built-in kinds, and that one. */
export async function knownKinds(): Promise<KnownKinds> {
  const builtIn = await loadKubernetesSchemas(AbortSignal.timeout(20_000));
  return { builtIn, custom: new Map(kindsDefinedBy(widgetDefinition())) };
}

function textOf(file: string): string {
  return readFileSync(new URL(`../manifests/${file}`, import.meta.url), 'utf8');
}

function manifestsIn(text: string): JsonObject[] {
  const { documents, faults } = parseManifests(text, { file: '' });
  if (faults[0] !== undefined) throw faults[0];
  return documents.map(({ value }) => withoutServerFields(value));
}
