import type { JsonObject } from '../../model/json.ts';
import type { MapReader } from '../map-reader.ts';
import type { ParameterSource } from '../template/scope.ts';
import { constantText, type Template, variablePart } from '../template/template.ts';
import { type ArgoContext, translatorFor } from './combination.ts';

export interface Values {
  /** Those that are the same for every cluster and item. */
  readonly parameters: JsonObject;
  readonly source: ParameterSource;
}

/**
 * `values` of a generator: constant ones become parameters, so that an override can change them; one that is
 * itself a template stands wherever it is used.
 */
export function readValues(
  reader: MapReader,
  context: ArgoContext,
  sources: readonly ParameterSource[],
): Values {
  const translate = translatorFor(context, sources);
  const parameters: JsonObject = {};
  const templates = new Map<string, Template>();
  for (const [key, text] of Object.entries(reader.textMap('values'))) {
    const template = translate(text, [...reader.path, 'values', key]);
    const constant = constantText(template);
    if (constant !== undefined) parameters[key] = constant;
    templates.set(key, constant === undefined ? template : [variablePart(['params', key])]);
  }
  return {
    parameters,
    source: {
      isOpen: false,
      resolve([root, ...rest]) {
        const template = root === 'values' ? templates.get(rest.join('.')) : undefined;
        return template && { ok: true, template };
      },
    },
  };
}
