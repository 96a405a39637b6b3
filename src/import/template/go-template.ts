import { conditionOf } from './go-condition.ts';
import { type Evaluation, templateOf } from './go-evaluate.ts';
import { splitActions } from './go-lexer.ts';
import { parsePipeline } from './go-parser.ts';
import { type Part, type Template, textPart } from './template.ts';
import { Untranslatable } from './untranslatable.ts';

/** How a part that has no equal is told; what is returned stands in its place. */
export type ReportPart = (source: string, error: Untranslatable) => Part;

/**
 * A Go template as ours. An output without an equal is handed to `report` and the rest goes on.
 * @throws Untranslatable for control structures without an equal: nothing around them can be trusted then.
 */
export function translateGoTemplate(text: string, evaluation: Evaluation, report: ReportPart): Template {
  let depth = 0;
  const template = splitActions(text).flatMap((piece): Template => {
    if (piece.kind === 'text') return [textPart(piece.text)];
    const control = controlOf(piece.action, evaluation);
    if (control === undefined) return outputOf(piece.action, evaluation, report);
    depth += control.depth;
    if (depth < 0) throw new Untranslatable('there is an end without an if');
    return control.tag === '' ? [] : [{ kind: 'tag', tag: control.tag }];
  });
  if (depth !== 0) throw new Untranslatable('an if is not ended');
  return template;
}

function outputOf(action: string, evaluation: Evaluation, report: ReportPart): Template {
  try {
    return templateOf(parsePipeline(action), evaluation);
  } catch (error) {
    if (error instanceof Untranslatable) return [report(`{{ ${action} }}`, error)];
    throw error;
  }
}

const otherControls = new Set(['range', 'with', 'define', 'template', 'block', 'break', 'continue']);

interface Control {
  readonly tag: string;
  /** By how many blocks the nesting changes. */
  readonly depth: number;
}

/** if, else if, else, end and comments as Liquid's tags; undefined for an output. */
function controlOf(action: string, evaluation: Evaluation): Control | undefined {
  if (action.startsWith('/*')) return { tag: '', depth: 0 };
  const [, word = '', rest = ''] = /^(\w+)\b\s*(.*)$/s.exec(action) ?? [];
  switch (word) {
    case 'if':
      return { tag: `if ${conditionOf(parsePipeline(rest), evaluation)}`, depth: 1 };
    case 'else':
      if (rest === '') return { tag: 'else', depth: 0 };
      if (!rest.startsWith('if ')) throw new Untranslatable(`"else ${rest}" has no equal`);
      return { tag: `elsif ${conditionOf(parsePipeline(rest.slice(3)), evaluation)}`, depth: 0 };
    case 'end':
      return { tag: 'endif', depth: -1 };
    default:
      if (otherControls.has(word)) throw new Untranslatable(`"${word}" has no equal here`);
      return undefined;
  }
}
