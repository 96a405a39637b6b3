import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How kubectl reads a document: the JSON it would send, or 'refused'. */
export type Answer = { readonly [key: string]: unknown } | 'refused';

const header = 'apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: oracle}\n';

/** The document in which a snippet is asked about; the snippet's keys must not be those of the header. */
export function documentOf(snippet: string): string {
  return `${header}${snippet}`;
}

/** Scalars that once were read wrongly somewhere, or could be. */
const oddScalars =
  `0400 0755 0o400 0O17 08 09 0_8 007 0 00 -0 +0 0x1F 0XfF -0x10 0x 0xg 0b11 -0b11 0b2 0b 0o8 0o
yes Yes YES yEs no No on On ON off OFF y Y n N true True TRUE tRUE false ~ null Null NULL nULL none
2024-01-02 2024-01-02T03:04:05Z 2024-13-45 1:30 12:30:45 190:20:30 1_000 1__0 1_ _1 1_000.5 0x_1F
1e3 1E3 1e+3 1e-3 81111e1 12e03 1e400 1e 1.5 1. .5 .5e3 ._5 -.5 +.5 1.e3 1.2.3 .e3 -1.5e-7 0.0 -0.0
+ +1 +1.5 ++1 1+1 1-1 1,5 1/2 50% $1 1a 0a 9007199254740991 -9007199254740991 Infinity NaN inf nan .5f 1.0 100m 0.5
<<x = a=b a#b ... @x`.split(/\s+/);

/** A fixed row of made-up scalars over the characters of numbers; the same on every machine. */
function madeUpScalars(count: number): string[] {
  const alphabet = '00112378.eE+-_xXoObBaFyN~';
  let state = 42;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + next(7) }, () => alphabet.charAt(next(alphabet.length))).join(''),
  );
}

function isPlain(scalar: string): boolean {
  return !/^(-|\.\.\.|---|[@%].*)$/.test(scalar);
}

/** Everything that kubectl is asked, each with a name. */
export const questions: ReadonlyMap<string, string> = new Map([
  ...batch('odd scalars', oddScalars.filter(isPlain), (scalar, index) => `k${index}: ${scalar}`),
  ...batch(
    'made-up scalars',
    madeUpScalars(1_500).filter(isPlain),
    (scalar, index) => `k${index}: ${scalar}`,
  ),
  ...batch(
    'keys',
    [
      '1',
      'yes',
      'n',
      '1.5',
      '1234567.5',
      '0x10',
      '1e21',
      '08',
      '-2',
      '0.0001',
      '0.00001',
      '100000.5',
      '0_7',
      '"8"',
    ],
    (key, index) => `m${index}: {${key}: v}`,
  ),
  ['null key', '~: x\n'],
  ['not a number', 'a: .nan\n'],
  ['infinite', 'a: -.inf\n'],
  [
    'tagged',
    'v: [!!str 12, !!str yes, !!int "0x10", !!float 3, !!float "2", !!bool "yes", !!null "", !!binary aGVsbG8=]\n',
  ],
  ['wrongly tagged int', 'a: !!int x\n'],
  ['wrongly tagged bool', 'a: !!bool 1\n'],
  ['quoted', `a: "no"\nb: 'yes'\nc: "0400"\nd: '1e3'\ne: "\\u00e9\\n"\nf: ''\n`],
  ['quoted key', '"on": 1\n'],
  ['block scalars', 'a: |\n  x\n   y\n\nb: >-\n  x\n  y\n\n  z\nc: |+\n  x\n\n'],
  ['merge before', 'x: &d {a: "1", b: "2"}\ny: {<<: *d, b: "3"}\n'],
  ['merge after', 'x: &d {a: "1", b: "2"}\ny: {b: "3", <<: *d}\n'],
  ['merge many', 'x: &d {a: "1"}\ny: &e {a: "2", c: "3"}\nz: {<<: [*d, *e], b: "4"}\n'],
  ['quoted merge key', '"<<": {a: 1}\n'],
  ['merge of a scalar', '<<: 3\n'],
  ['alias', 'x: &d [1, {a: b}]\ny: *d\nz: [*d]\n'],
  ['unknown alias', 'x: *d\n'],
  ['flow over lines', 'x: {a: 1,\n  b: [1,\n 2]}\n'],
  ['empty values', 'a:\nb: {}\nc: []\nd: ""\n'],
  ['windows lines', 'a: |\r\n  x\r\n  y\r\nb: 1\r\n'],
]);

function batch(
  name: string,
  items: readonly string[],
  line: (item: string, index: number) => string,
): [string, string][] {
  return [[name, `${items.map(line).join('\n')}\n`]];
}

/** Asks kubectl itself; undefined where there is none. Works without a cluster. */
export function askKubectl(snippet: string): Answer | undefined {
  const dir = mkdtempSync(join(tmpdir(), 'kubectl-oracle-'));
  try {
    const file = join(dir, 'question.yaml');
    writeFileSync(file, documentOf(snippet));
    const args = ['annotate', '--local', '-f', file, '-o', 'json', '--dry-run=client', 'asked=yes'];
    const answer = JSON.parse(
      execFileSync('kubectl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    ) as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(answer).filter(([key]) => !['apiVersion', 'kind', 'metadata'].includes(key)),
    );
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    return 'refused';
  } finally {
    rmSync(dir, { recursive: true });
  }
}
