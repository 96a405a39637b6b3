import { valueAt } from '../../model/json.ts';
import type { PathElement } from '../../model/managed-fields.ts';
import { namingKey } from './compare.ts';

/** '.spec.containers[name=web].image', '.data["app.conf"]', '.spec.rules[0]': a path as people read it. */
export function formatPath(path: readonly PathElement[]): string {
  return path.map(formatElement).join('') || '.';
}

function formatElement(element: PathElement): string {
  if ('field' in element) {
    return /^[A-Za-z_][\w-]*$/.test(element.field)
      ? `.${element.field}`
      : `[${JSON.stringify(element.field)}]`;
  }
  const key = element.item === undefined ? undefined : namingKey([element.item]);
  const name = key === undefined ? undefined : valueAt(element.item, key);
  return key === undefined || (typeof name !== 'string' && typeof name !== 'number')
    ? `[${element.index}]`
    : `[${key}=${formatName(String(name))}]`;
}

/** A name that could be taken for a part of the path is quoted. */
function formatName(name: string): string {
  return /^[\w./:@-]+$/.test(name) ? name : JSON.stringify(name);
}
