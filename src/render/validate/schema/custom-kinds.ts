import { arrayAt, isJsonObject, type JsonObject, objectAt, stringAt } from '../../../model/json.ts';
import type { Schema } from './kubernetes-schemas.ts';

/** The schemas that CustomResourceDefinitions give, by 'group/version/Kind'. */
export type CustomKinds = ReadonlyMap<string, Schema>;

/** What a definition says of each version of its kind that is served. */
export function kindsDefinedBy(definition: JsonObject): [string, Schema][] {
  const group = stringAt(definition, 'spec', 'group');
  const kind = stringAt(definition, 'spec', 'names', 'kind');
  if (group === undefined || kind === undefined) return [];
  return arrayAt(definition, 'spec', 'versions').flatMap((version): [string, Schema][] => {
    const name = stringAt(version, 'name');
    if (name === undefined || !isJsonObject(version) || version['served'] !== true) return [];
    return [[`${group}/${name}/${kind}`, objectAt(version, 'schema', 'openAPIV3Schema')]];
  });
}
