import { comparisons } from './go-functions.ts';
import { type Evaluation, operandOf } from './go-evaluate.ts';
import type { GoNode } from './go-parser.ts';
import { Untranslatable } from './untranslatable.ts';

/** A condition as Liquid says it. Go takes what is empty for false; `blank` is Liquid's word for that. */
export function conditionOf(node: GoNode, evaluation: Evaluation): string {
  if (node.kind !== 'call') return `${operandOf(node, evaluation)} != blank`;
  const { name, args } = node;
  if (name === 'and' || name === 'or') return joined(name, args, evaluation);
  if (name === 'not') return opposite(args, evaluation);
  const comparison = comparisons.get(name);
  if (comparison !== undefined) return compared(comparison.operator, args, evaluation);
  if (name === 'hasKey') return `${operandOf(keyOf(args), evaluation)} != nil`;
  if (name === 'contains') {
    const [part, whole] = args.map((arg) => operandOf(arg, evaluation));
    return `${whole ?? ''} contains ${part ?? ''}`;
  }
  throw new Untranslatable(`the condition ${name} has no equal`);
}

/** Liquid has no parentheses and reads from the right, so that only chains of one word mean the same. */
function joined(word: 'and' | 'or', args: readonly GoNode[], evaluation: Evaluation): string {
  const conditions = args.map((arg) => conditionOf(arg, evaluation));
  const other = word === 'and' ? ' or ' : ' and ';
  if (conditions.some((condition) => condition.includes(other))) {
    throw new Untranslatable('and and or inside of each other have no equal');
  }
  return conditions.join(` ${word} `);
}

/** `eq a b c` is true where a is any of the others. */
function compared(operator: string, args: readonly GoNode[], evaluation: Evaluation): string {
  const [first, ...others] = args.map((arg) => operandOf(arg, evaluation));
  if (first === undefined || others.length === 0) throw new Untranslatable('a comparison needs two values');
  return others.map((other) => `${first} ${operator} ${other}`).join(' or ');
}

function opposite([node, ...more]: readonly GoNode[], evaluation: Evaluation): string {
  if (node === undefined || more.length > 0) throw new Untranslatable('not takes one value');
  if (node.kind !== 'call') return `${operandOf(node, evaluation)} == blank`;
  const comparison = comparisons.get(node.name);
  if (comparison !== undefined && node.args.length === 2) {
    return compared(comparison.opposite, node.args, evaluation);
  }
  if (node.name === 'hasKey') return `${operandOf(keyOf(node.args), evaluation)} == nil`;
  throw new Untranslatable(`not of ${node.name} has no equal`);
}

function keyOf([map, key]: readonly GoNode[]): GoNode {
  if (map?.kind !== 'parameter' || key?.kind !== 'literal' || typeof key.value !== 'string') {
    throw new Untranslatable('hasKey of something computed has no equal');
  }
  return { kind: 'parameter', path: [...map.path, key.value] };
}
