import { arithmetic, filterRules } from './go-functions.ts';
import type { GoNode } from './go-parser.ts';
import { type ParameterSource, resolveParameter } from './scope.ts';
import {
  liquidVariable,
  onlyVariable,
  type Part,
  type Template,
  textPart,
  type Variable,
} from './template.ts';
import { Untranslatable } from './untranslatable.ts';

export interface Evaluation {
  readonly sources: readonly ParameterSource[];
  /** Told where the equal of a function or parameter is a little different. */
  readonly onDifference: (name: string, difference: string) => void;
}

type Output = Extract<Part, { kind: 'output' }>;
type Call = Extract<GoNode, { kind: 'call' }>;

/** What an output of a Go template gives, as ours. @throws Untranslatable */
export function templateOf(node: GoNode, evaluation: Evaluation): Template {
  if (node.kind === 'literal') return [textPart(String(node.value))];
  if (node.kind === 'parameter') return parameterOf(node.path, evaluation);
  if (node.name === 'printf' || node.name === 'print') return printed(node, evaluation);
  return [expressionOf(node, evaluation)];
}

/** A value that may stand in a condition or as a filter's argument: a variable or a literal. @throws Untranslatable */
export function operandOf(node: GoNode, evaluation: Evaluation): string {
  if (node.kind === 'literal') return literal(node.value);
  if (node.kind === 'call') throw new Untranslatable(`the result of ${node.name} can only be printed here`);
  const template = parameterOf(node.path, evaluation);
  const [part] = template;
  if (template.length === 1 && part?.kind === 'text') return literal(part.text);
  const variable = onlyVariable(template);
  if (variable === undefined) throw new Untranslatable('a value of several parts can only be printed here');
  return liquidVariable(variable);
}

function parameterOf(path: readonly (string | number)[], { sources, onDifference }: Evaluation): Template {
  const resolution = resolveParameter(sources, path);
  if (!resolution.ok) throw new Untranslatable(resolution.message, resolution.remedy);
  if (resolution.difference !== undefined) onDifference(path.join('.'), resolution.difference);
  return resolution.template;
}

/** A call as one Liquid expression: its value and a chain of filters. */
function expressionOf(node: GoNode, evaluation: Evaluation): Output {
  if (node.kind !== 'call') {
    const variable = node.kind === 'parameter' ? onlyVariable(parameterOf(node.path, evaluation)) : undefined;
    return { kind: 'output', expression: operandOf(node, evaluation), ...(variable && { variable }) };
  }
  const { name, args } = node;
  if (name === 'default') return firstOf([args[1], args[0]], evaluation);
  if (name === 'coalesce') return firstOf(args, evaluation);
  const rule = filterRules.get(name);
  if (rule !== undefined) {
    if (args.length !== rule.before + 1) throw new Untranslatable(`${name} is given ${args.length} values`);
    const named = nameOfBase(node, evaluation);
    if (named !== undefined) return named;
    if (rule.difference !== undefined) evaluation.onDifference(name, rule.difference);
    const filterArgs = args.slice(0, -1).map((arg) => operandOf(arg, evaluation));
    return filtered(args.at(-1), rule.filter(filterArgs), evaluation);
  }
  if (name === 'dig') return digOf(args, evaluation);
  const operator = arithmetic.get(name);
  if (operator !== undefined && args.length === 2 && args[1] !== undefined) {
    return filtered(args[0], `${operator}: ${operandOf(args[1], evaluation)}`, evaluation);
  }
  throw new Untranslatable(`the function ${name} has no equal here`);
}

function filtered(value: GoNode | undefined, filters: string, evaluation: Evaluation): Output {
  if (value === undefined) throw new Untranslatable('a function lacks its value');
  return { kind: 'output', expression: `${expressionOf(value, evaluation).expression} | ${filters}` };
}

/** `base .path.path` is a variable of its own, and a cluster's name is normal as it stands. */
function nameOfBase({ name, args }: Call, evaluation: Evaluation): Output | undefined {
  const [value] = args;
  if (value?.kind !== 'parameter') return undefined;
  const variable = onlyVariable(parameterOf(value.path, evaluation))?.join('.');
  const same: Readonly<Record<string, Variable>> = {
    'base item.directory.path': ['item', 'directory', 'name'],
    'normalize cluster.name': ['cluster', 'name'],
  };
  const found = same[`${name} ${variable ?? ''}`];
  return found && { kind: 'output', expression: liquidVariable(found), variable: found };
}

/** `dig "a" "b" "otherwise" .map` looks a path up, with a value for when it is not there. */
function digOf(args: readonly GoNode[], evaluation: Evaluation): Output {
  const map = args.at(-1);
  const otherwise = args.at(-2);
  if (map?.kind !== 'parameter' || otherwise === undefined)
    throw new Untranslatable('dig of a result has no equal');
  const keys = args.slice(0, -2).map((key) => {
    if (key.kind === 'literal' && typeof key.value === 'string') return key.value;
    throw new Untranslatable('dig with a key that is computed has no equal');
  });
  return firstOf([{ kind: 'parameter', path: [...map.path, ...keys] }, otherwise], evaluation);
}

/** The first value that is there. What nothing can have is passed over: an element need not name every key. */
function firstOf(values: readonly (GoNode | undefined)[], evaluation: Evaluation): Output {
  const known = values.filter((value) => value !== undefined && !isUnknown(value, evaluation));
  const [first, ...others] = known.filter((value) => value !== undefined);
  if (first === undefined) throw new Untranslatable('no generator here gives any of its parameters');
  const filters = others.map((other) => ` | default: ${operandOf(other, evaluation)}`);
  const { expression, ...rest } = expressionOf(first, evaluation);
  if (filters.length === 0) return { expression, ...rest };
  return { kind: 'output', expression: `${expression}${filters.join('')}` };
}

function isUnknown(node: GoNode, { sources }: Evaluation): boolean {
  if (node.kind !== 'parameter') return false;
  const resolution = resolveParameter(sources, node.path);
  return !resolution.ok && resolution.isUnknown === true;
}

/** `printf "%s-%s" .a .b` is text with variables in it; other verbs than %s, %v and %d format. */
function printed({ name, args }: Call, evaluation: Evaluation): Template {
  if (name === 'print') return args.flatMap((arg) => templateOf(arg, evaluation));
  const [format, ...values] = args;
  if (format?.kind !== 'literal' || typeof format.value !== 'string') {
    throw new Untranslatable('printf with a format that is computed has no equal');
  }
  let next = 0;
  return format.value.split(/(%.)/).flatMap((piece): Template => {
    if (!/^%.$/.test(piece)) return piece === '' ? [] : [textPart(piece)];
    if (piece === '%%') return [textPart('%')];
    const value = values[next++];
    if (value === undefined || !/^%[svd]$/.test(piece)) {
      throw new Untranslatable(`printf with ${piece} has no equal`);
    }
    return templateOf(value, evaluation);
  });
}

function literal(value: string | number | boolean | null): string {
  return value === null ? 'nil' : JSON.stringify(value);
}
