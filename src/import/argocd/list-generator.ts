import type { JsonObject, JsonValue } from '../../model/json.ts';
import type { MapReader } from '../map-reader.ts';
import type { ArgoContext, Combination } from './combination.ts';
import { listSource } from './list-source.ts';

/** The list generator: each element is an item. */
export function readList(reader: MapReader, { notes }: ArgoContext): Combination | undefined {
  const elements: JsonObject[] = reader.maps('elements').map(({ value, path }) => {
    if (holdsTemplate(value)) {
      notes.add('unsupported', path, {
        message: 'a template in an element has no equal: items are taken as they stand',
        remedy: 'Write the template where the element is used.',
      });
    }
    return value;
  });
  const isComputed = reader.note('unsupported', 'elementsYaml', {
    message: 'elements that are computed have no equal',
    remedy:
      'Commit them as a file that holds a list of maps, and name it in each.files: every map is an item.',
  });
  reader.any('template');
  reader.end();
  if (elements.length === 0) {
    if (!isComputed)
      notes.add('unsupported', reader.path, { message: 'a list without elements gives nothing' });
    return undefined;
  }
  return { conditions: [], list: elements, parameters: {}, overrides: [], sources: [listSource(elements)] };
}

function holdsTemplate(value: JsonValue): boolean {
  return JSON.stringify(value).includes('{{');
}
