import type { Notes, Path } from '../notes.ts';
import type { Evaluation } from './go-evaluate.ts';
import { type ReportPart, translateGoTemplate } from './go-template.ts';
import { type ParameterSource, pathOfTag, resolveParameter } from './scope.ts';
import { splitTags } from './tags.ts';
import { type Part, type Template, textPart } from './template.ts';
import { Untranslatable } from './untranslatable.ts';

/** The text of the value at that path as our template. What has no equal is a finding there. */
export type Translate = (text: string, path: Path) => Template;

export interface TranslatorOptions {
  readonly goTemplate: boolean;
  readonly sources: readonly ParameterSource[];
  readonly notes: Notes;
}

/** Translates what stands between `{{` and `}}` in the texts of an ApplicationSet. */
export function createTranslator({ goTemplate, sources, notes }: TranslatorOptions): Translate {
  return (text, path) => {
    if (!text.includes('{{')) return text === '' ? [] : [textPart(text)];
    const report = (source: string, error: Untranslatable): Part => {
      notes.add('unsupported', path, {
        message: `${source}: ${error.message}`,
        remedy: error.remedy ?? 'Write there what it stands for, as a parameter, a label or text.',
      });
      return standIn(source);
    };
    const onDifference = (name: string, difference: string): void => {
      notes.add('changed', path, { message: `${name}: ${difference}` });
    };
    const evaluation = { sources, onDifference };
    if (!goTemplate) return translateTags(text, evaluation, report);
    try {
      return translateGoTemplate(text, evaluation, report);
    } catch (error) {
      if (error instanceof Untranslatable) return [report(text, error)];
      throw error;
    }
  };
}

function translateTags(text: string, { sources, onDifference }: Evaluation, report: ReportPart): Template {
  return splitTags(text).flatMap((piece, index): Template => {
    if (index % 2 === 0) return piece === '' ? [] : [textPart(piece)];
    const tag = piece.slice(2, -2).trim();
    const resolution = resolveParameter(sources, pathOfTag(tag));
    if (resolution.ok) {
      if (resolution.difference !== undefined) onDifference(tag, resolution.difference);
      return resolution.template;
    }
    const message = /^[.(]|\s/.test(tag)
      ? 'goTemplate is not set, so that this is no template and stands as it is'
      : resolution.message;
    return [report(piece, new Untranslatable(message, resolution.remedy))];
  });
}

/**
 * What stands for an output without an equal: a variable that nothing has. The file can be read, and rendering it
 * fails with its line until a person has put something there.
 */
function standIn(source: string): Part {
  return {
    kind: 'output',
    expression: `untranslated[${JSON.stringify(source.replace(/[{}%]/g, '').trim())}]`,
  };
}
