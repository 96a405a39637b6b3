import type { JsonObject } from '../model/json.ts';
import type { MapReader } from './map-reader.ts';

/**
 * The targets that select what a target of Kustomize does: several where its name is a choice of names. None, with a
 * finding, where that cannot be said.
 */
export function readTarget(reader: MapReader): JsonObject[] {
  const group = reader.text('group');
  const version = reader.text('version');
  const kind = reader.text('kind');
  const names = globsOf(reader, 'name');
  const namespaces = globsOf(reader, 'namespace');
  const labels = labelsOf(reader);
  const hasAnnotations = reader.note('unsupported', 'annotationSelector', {
    message: 'objects are not selected by annotation',
    remedy: 'Name them, or give them a label.',
  });
  reader.end();
  if (names === undefined || namespaces === undefined || labels === undefined || hasAnnotations) return [];
  if (version !== undefined && group === undefined) {
    reader.notes.add('dropped', [...reader.path, 'version'], {
      message: 'a version without a group is not asked for',
    });
  }
  const what = {
    ...(group !== undefined && version === undefined && { group }),
    ...(group !== undefined &&
      version !== undefined && { apiVersion: group === '' ? version : `${group}/${version}` }),
    ...(kind !== undefined && { kind }),
  };
  return names.flatMap((name) =>
    namespaces.map((namespace): JsonObject => {
      const target = {
        ...what,
        ...(name !== '' && { name }),
        ...(namespace !== '' && { namespace }),
        ...labels,
      };
      return Object.keys(target).length === 0 ? { name: '*' } : target;
    }),
  );
}

/** Globs for a regular expression of names, which Kustomize anchors at both ends; [''] where none is given. */
function globsOf(reader: MapReader, key: string): string[] | undefined {
  const pattern = reader.text(key)?.replace(/^\^/, '').replace(/\$$/, '');
  if (pattern === undefined || pattern === '' || pattern === '.*') return [''];
  const choices = /^\(?([^()]*)\)?$/.exec(pattern)?.[1]?.split('|') ?? [];
  const globs = choices.map((choice) => choice.replace(/\.[*+]/g, '*').replace(/\\\./g, '.'));
  if (globs.length > 0 && globs.every((glob) => /^[\w.*-]+$/.test(glob))) return globs;
  reader.notes.add('unsupported', [...reader.path, key], {
    message: `the regular expression ${pattern} has no equal: names are globs`,
    remedy: 'Write a patch for each name.',
  });
  return undefined;
}

/** A selector written as text: `app=web,tier in (a, b),!old`. */
function labelsOf(reader: MapReader): JsonObject | undefined {
  const text = reader.text('labelSelector');
  if (text === undefined || text === '') return {};
  const matchLabels: JsonObject = {};
  const matchExpressions: JsonObject[] = [];
  for (const part of text.split(/,(?![^(]*\))/).map((each) => each.trim())) {
    const equal = /^([\w./-]+)\s*={1,2}\s*([\w.-]*)$/.exec(part);
    const expression = equal === null ? expressionOf(part) : undefined;
    if (equal !== null) matchLabels[equal[1] ?? ''] = equal[2] ?? '';
    else if (expression !== undefined) matchExpressions.push(expression);
    else {
      reader.notes.fault(
        [...reader.path, 'labelSelector'],
        `${JSON.stringify(part)} is no part of a selector`,
      );
      return undefined;
    }
  }
  if (matchExpressions.length === 0) return { labels: matchLabels };
  return {
    labelSelector: { ...(Object.keys(matchLabels).length > 0 && { matchLabels }), matchExpressions },
  };
}

function expressionOf(part: string): JsonObject | undefined {
  const unequal = /^([\w./-]+)\s*!=\s*([\w.-]*)$/.exec(part);
  if (unequal !== null) return { key: unequal[1] ?? '', operator: 'NotIn', values: [unequal[2] ?? ''] };
  const set = /^([\w./-]+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(part);
  if (set !== null) {
    const values = (set[3] ?? '').split(',').map((value) => value.trim());
    return { key: set[1] ?? '', operator: set[2] === 'in' ? 'In' : 'NotIn', values };
  }
  const word = /^(!?)([\w./-]+)$/.exec(part);
  if (word === null) return undefined;
  return { key: word[2] ?? '', operator: word[1] === '!' ? 'DoesNotExist' : 'Exists' };
}
