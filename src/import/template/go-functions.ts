/** A function of Go templates or sprig whose value comes last, as a Liquid filter. */
export interface FilterRule {
  /** How many arguments stand before the value. */
  readonly before: number;
  /** The filters, from the arguments as Liquid values. */
  filter(args: readonly string[]): string;
  /** What is a little different; undefined where nothing is. */
  readonly difference?: string;
}

function plain(filter: string): FilterRule {
  return { before: 0, filter: () => filter };
}

function withOne(filter: string, difference?: string): FilterRule {
  return {
    before: 1,
    filter: ([argument = '']) => `${filter}: ${argument}`,
    ...(difference !== undefined && { difference }),
  };
}

const everywhere = 'removes the text wherever it stands first, not only at that end';
const normalised = 'every "_" becomes "-"; other characters that no name may hold are left as they are';

/** Filters for the functions that have an equal. What is in no table here has none. */
export const filterRules: ReadonlyMap<string, FilterRule> = new Map([
  ['lower', plain('downcase')],
  ['upper', plain('upcase')],
  ['trim', plain('strip')],
  ['quote', plain('quote')],
  ['b64enc', plain('b64enc')],
  ['sha256sum', plain('sha256')],
  ['toJson', plain('to_json')],
  ['toYaml', plain('to_yaml')],
  ['toString', plain('append: ""')],
  ['int', plain('plus: 0')],
  ['int64', plain('plus: 0')],
  ['atoi', plain('plus: 0')],
  ['first', plain('first')],
  ['last', plain('last')],
  ['len', plain('size')],
  ['base', plain('split: "/" | last')],
  ['normalize', { ...plain('downcase | replace: "_", "-"'), difference: normalised }],
  ['join', withOne('join')],
  ['splitList', withOne('split')],
  ['trimPrefix', withOne('remove_first', everywhere)],
  ['trimSuffix', withOne('remove_last', everywhere)],
  ['indent', withOne('indent')],
  ['trunc', { before: 1, filter: ([length = '']) => `slice: 0, ${length}` }],
  ['replace', { before: 2, filter: ([from = '', to = '']) => `replace: ${from}, ${to}` }],
  ['substr', { before: 2, filter: sliceOf }],
]);

/** Functions of two values in reading order: `sub 5 2` is 3. */
export const arithmetic: ReadonlyMap<string, string> = new Map([
  ['add', 'plus'],
  ['sub', 'minus'],
  ['mul', 'times'],
  ['div', 'divided_by'],
  ['mod', 'modulo'],
]);

/** Comparisons as Liquid's operators, each with its opposite. */
export const comparisons: ReadonlyMap<string, { readonly operator: string; readonly opposite: string }> =
  new Map([
    ['eq', { operator: '==', opposite: '!=' }],
    ['ne', { operator: '!=', opposite: '==' }],
    ['lt', { operator: '<', opposite: '>=' }],
    ['le', { operator: '<=', opposite: '>' }],
    ['gt', { operator: '>', opposite: '<=' }],
    ['ge', { operator: '>=', opposite: '<' }],
  ]);

/** `substr 0 5` names the end, Liquid's slice the length. */
function sliceOf([start = '0', end = '0']: readonly string[]): string {
  return `slice: ${start}, ${Number(end) - Number(start)}`;
}
