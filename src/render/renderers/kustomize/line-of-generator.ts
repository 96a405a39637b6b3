import type { YamlDocument } from '../../../config/yaml/parse-manifests.ts';
import { arrayAt, stringAt } from '../../../model/json.ts';
import type { ObjectRef } from '../../../model/object-ref.ts';

const fields = new Map([
  ['ConfigMap', 'configMapGenerator'],
  ['Secret', 'secretGenerator'],
]);

/** The line of the generator in a kustomization that an object comes from, going by their names; 1 where none fits. */
export function lineOfGenerator({ value, locate }: YamlDocument, { kind, name }: ObjectRef): number {
  const field = fields.get(kind);
  if (field === undefined) return 1;
  const names = arrayAt(value, field).map((item) => stringAt(item, 'name') ?? '');
  const fitting = names.filter((candidate) => candidate !== '' && name.includes(candidate));
  const [longest] = fitting.sort((a, b) => b.length - a.length);
  return longest === undefined ? 1 : locate([field, names.indexOf(longest)]).line;
}
