import type { Finding } from '../../model/finding.ts';
import { isJsonObject, type JsonValue } from '../../model/json.ts';
import { nodeAt } from '../../model/snapshot.ts';
import { originIn } from '../generators/generator-fault.ts';
import type { SourceContext } from '../render-source.ts';
import { loadTemplates } from '../templates/load-templates.ts';
import { variablesOf } from '../templates/render-template.ts';
import type { TemplateReads } from '../templates/template-reads.ts';
import type { Survey } from './survey-generator.ts';

/** Parameters of a generator and of its overrides that no template and no condition of it reads. */
export async function unusedParameters(survey: Survey, context: SourceContext): Promise<Finding[]> {
  const { entry } = survey;
  const { parameters, overrides } = entry.generator;
  const places = [
    ...Object.keys(parameters).map((key) => ({ key, path: ['spec', 'parameters', key] })),
    ...overrides.flatMap((override, index) =>
      Object.keys(override.parameters).map((key) => ({
        key,
        path: ['spec', 'overrides', index, 'parameters', key],
      })),
    ),
  ];
  if (places.length === 0) return [];
  const read = await parametersRead(survey, context);
  if (read === 'all') return [];
  return places
    .filter(({ key }) => !read.has(key))
    .map(({ key, path }) => {
      const { line, column } = entry.document.locate(path, 'key');
      const { generator, file, document } = originIn(entry, path);
      return {
        severity: 'warning',
        code: 'ParameterUnused',
        message: `nothing reads the parameter ${JSON.stringify(key)}`,
        place: { file, document, line, column },
        generator,
      };
    });
}

/** The names of parameters that are read, or 'all' where they are handed on as a whole or by computed names. */
async function parametersRead(survey: Survey, context: SourceContext): Promise<ReadonlySet<string> | 'all'> {
  const { generator } = survey.entry;
  const reads: TemplateReads[] = textsIn({ ...generator.render.helm }).map(variablesOf);
  reads.push(variablesOf(generator.sourcePath), variablesOf(generator.namespace ?? ''));
  if (generator.render.type === 'template') {
    for (const path of survey.paths) {
      const node = nodeAt(context.snapshot.tree, path);
      if (node === undefined) continue;
      reads.push((await loadTemplates({ snapshot: context.snapshot, path, node }, context.cache)).reads);
    }
  }
  const names = reads
    .flatMap(({ paths }) => paths)
    .filter(([root]) => root === 'params')
    .map(([, name]) => name);
  const conditions = [generator.when, ...generator.overrides.map(({ when }) => when)].filter(
    (when) => when !== undefined,
  );
  const all = [...names, ...conditions.flatMap(namesInCondition)];
  return all.includes(undefined) ? 'all' : new Set(all.filter((name) => name !== undefined));
}

/** The names behind 'params' in a CEL expression; undefined for 'params' with anything else behind it. */
function namesInCondition(condition: string): (string | undefined)[] {
  return [...condition.matchAll(/\bparams\b\s*(?:\.\s*(\w+)|\[\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*\])?/g)].map(
    ([, field, quoted, single]) => field ?? quoted ?? single,
  );
}

function textsIn(value: JsonValue | object): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => textsIn(item));
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
