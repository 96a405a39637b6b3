import {
  celEnv,
  celFunc,
  type CelInput,
  celList,
  CelScalar,
  type CelValue,
  isCelError,
  isCelList,
  isCelMap,
  listType,
  plan,
} from '@bufbuild/cel';

import { parseCondition, type ParsedCondition } from '../../config/generator/condition.ts';
import { isJsonObject, type JsonValue } from '../../model/json.ts';
import { BoundedCache } from '../bounded-cache.ts';
import type { TemplateData } from '../templates/template-data.ts';

export type ConditionOutcome =
  | { readonly ok: true; readonly holds: boolean }
  | {
      readonly ok: false;
      readonly message: string;
      /** Only where it is another than that of any condition that fails. */
      readonly code?: 'FactsUnknown';
    };

type Compiled = (data: TemplateData) => ConditionOutcome;

const maxCompiled = 1_000;
const compiled = new BoundedCache<Compiled>(maxCompiled);

/** Whether a CEL expression holds. What fails in it, or gives something else than true or false, is in the message. */
export function evaluateCondition(text: string, data: TemplateData): ConditionOutcome {
  const known = compiled.get(text);
  if (known !== undefined) return known(data);
  const condition = compile(text);
  compiled.set(text, condition, 1);
  return condition(data);
}

/** Rounds of all loops together. */
const maxSteps = 10_000;
/** What '+' may join, which a short expression can multiply. */
const maxCharacters = 1_000_000;
const maxItems = 2_000;

function compile(text: string): Compiled {
  const result = parseCondition(text);
  if (!result.ok) return () => result;
  const { parsed } = result;
  const meter = { steps: 0 };
  meterLoops(parsed.expr);
  const evaluate = plan(celEnv({ funcs: [stepFunction(meter), ...boundedJoins] }), parsed);
  return (data) => {
    meter.steps = 0;
    const value = evaluate(bindingsOf(data));
    if (typeof value === 'boolean') return { ok: true, holds: value };
    if (isCelError(value)) return { ok: false, ...explain(value, { text, parsed, data }) };
    return { ok: false, message: `gives ${describe(value)}, not true or false` };
  };
}

const step = '@step';

function stepFunction(meter: { steps: number }) {
  return celFunc(step, [CelScalar.DYN], CelScalar.DYN, (condition) => {
    meter.steps++;
    if (meter.steps > maxSteps) throw new Error(`it loops more than ${maxSteps} times`);
    return condition;
  });
}

const anyList = listType(CelScalar.DYN);

const boundedJoins = [
  celFunc('_+_', [CelScalar.STRING, CelScalar.STRING], CelScalar.STRING, (a, b) => {
    if (a.length + b.length > maxCharacters)
      throw new Error(`it makes a text of more than ${maxCharacters} characters`);
    return a + b;
  }),
  celFunc('_+_', [anyList, anyList], anyList, (a, b) => {
    if (a.size + b.size > maxItems) throw new Error(`it makes a list of more than ${maxItems} items`);
    return celList([...a, ...b]);
  }),
];

/** Lets every loop ask the meter before each round. Nodes are plain objects without a common type to walk them by. */
function meterLoops(node: unknown): void {
  if (Array.isArray(node)) node.forEach(meterLoops);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  for (const child of Object.values(node)) meterLoops(child);
  if (!('$typeName' in node) || node.$typeName !== 'cel.expr.Expr.Comprehension') return;
  if (!('loopCondition' in node)) return;
  const value = { $typeName: 'cel.expr.Expr.Call', function: step, args: [node.loopCondition] };
  node.loopCondition = { $typeName: 'cel.expr.Expr', id: 0n, exprKind: { case: 'callExpr', value } };
}

function bindingsOf({ cluster, fleet, params, item }: TemplateData): Record<string, CelInput> {
  const { labels, annotations, ...rest } = cluster;
  return {
    cluster: new Map<string, CelInput>([
      ...Object.entries(rest).map(([key, value]): [string, CelInput] => [key, value as CelInput]),
      ['labels', new Map(Object.entries(labels))],
      ['annotations', new Map(Object.entries(annotations))],
    ]),
    fleet: new Map(Object.entries(fleet)),
    params: celOf(params),
    ...(item === undefined ? {} : { item: celOf(item) }),
  };
}

/** Whole numbers are CEL's int, as they are for Kubernetes, so that they can be counted with. */
function celOf(value: JsonValue): CelInput {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(celOf);
  return isJsonObject(value)
    ? new Map(Object.entries(value).map(([key, item]) => [key, celOf(item)]))
    : value;
}

interface Failure {
  readonly text: string;
  readonly parsed: ParsedCondition;
  readonly data: TemplateData;
}

/** CEL names neither the place nor, for a name that nothing has, the name. */
function explain(
  { message, exprId }: { readonly message: string; readonly exprId: bigint | undefined },
  { text, parsed, data }: Failure,
): { readonly message: string; readonly code?: 'FactsUnknown' } {
  const offset = exprId === undefined ? undefined : parsed.sourceInfo?.positions[String(exprId)];
  const missing = /^field not found: (.*)$/.exec(message)?.[1];
  if (missing !== undefined && isUnreached(missing, data)) {
    const unknown = `cluster.${missing} is not known, since the cluster has not been reached yet`;
    return { message: unknown, code: 'FactsUnknown' };
  }
  const at = offset === undefined ? '' : `, at character ${offset + 1}`;
  if (missing !== undefined)
    return { message: `there is no ${missing}${at}; ask with has(…) or "…" in … first` };
  if (message !== 'unresolved attribute') return { message: `${message}${at}` };
  const name = /^\w+/.exec(text.slice(offset ?? 0))?.[0] ?? '';
  const hint = name === 'item' ? '; it is there only with each' : '';
  return {
    message: `nothing is named ${JSON.stringify(name)}${at}${hint}; known are cluster, fleet, params and item`,
  };
}

function isUnreached(key: string, { cluster }: TemplateData): boolean {
  return ['version', 'kubeVersion', 'apiVersions'].includes(key) && cluster.kubeVersion === undefined;
}

function describe(value: CelValue): string {
  if (value === null) return 'null';
  if (isCelList(value)) return 'a list';
  if (isCelMap(value)) return 'a map';
  return typeof value === 'object'
    ? 'something else'
    : `the ${nameOf(value)} ${JSON.stringify(String(value))}`;
}

function nameOf(value: string | number | bigint | boolean): string {
  return typeof value === 'string' ? 'text' : 'number';
}
