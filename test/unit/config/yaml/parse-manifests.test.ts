import { expect } from 'chai';
import fc from 'fast-check';

import { parseManifests } from '../../../../src/config/yaml/parse-manifests.ts';

interface Found {
  readonly values: readonly unknown[];
  readonly faults: readonly string[];
}

function parse(text: string): Found {
  const { documents, faults } = parseManifests(text, { file: 'app.yaml' });
  return { values: documents.map(({ value }) => value), faults: faults.map((fault) => fault.describe()) };
}

const bomb = [
  'a: &a ["x","x","x","x","x","x","x","x","x","x"]',
  ...'bcdefgh'.split('').map(
    (name, index) =>
      `${name}: &${name} [${Array(10)
        .fill(`*${'abcdefg'[index] ?? ''}`)
        .join(',')}]`,
  ),
].join('\n');

describe('parseManifests', () => {
  it('reads a mode with a leading zero as octal', () => {
    expect(parse('defaultMode: 0400\nother: 0o400\n').values).to.deep.equal([
      { defaultMode: 256, other: 256 },
    ]);
  });

  it('reads yes and no as booleans unless they are quoted', () => {
    expect(parse('enabled: yes\ndata: {a: "no", y: 1}\n').values).to.deep.equal([
      { enabled: true, data: { a: 'no', true: 1 } },
    ]);
  });

  it('merges maps and never leaves a merge key behind', () => {
    expect(parse('x: &d {a: "1"}\nlabels: {<<: *d, b: "2"}\n').values).to.deep.equal([
      { x: { a: '1' }, labels: { a: '1', b: '2' } },
    ]);
  });

  it('leaves dates and times as text and drops underscores in numbers', () => {
    expect(parse('a: 2024-01-02\nb: 1:30\nc: 1_000\n').values).to.deep.equal([
      { a: '2024-01-02', b: '1:30', c: 1000 },
    ]);
  });

  it('skips documents that hold nothing', () => {
    expect(parse('---\n# c\n---\nkind: ConfigMap\n---\n---\nnull\n')).to.deep.equal({
      values: [{ kind: 'ConfigMap' }],
      faults: [],
    });
    for (const nothing of ['', '# only a comment\n', '\n\n', '---\n', '\uFEFF']) {
      expect(parse(nothing)).to.deep.equal({ values: [], faults: [] });
    }
  });

  it('takes a comment right behind a marker for one', () => {
    expect(parse('---# first\na: 1\n---#second: x\nb: 2\n').values).to.deep.equal([{ a: 1 }, { b: 2 }]);
  });

  it('reads byte order marks and Windows lines, also where files were joined', () => {
    const one = '\uFEFFkind: A\r\ntext: |\r\n  x\r\n  y\r\n';
    const values = [
      { kind: 'A', text: 'x\ny\n' },
      { kind: 'A', text: 'x\ny\n' },
    ];
    expect(parse(`${one}---\r\n${one}`)).to.deep.equal({ values, faults: [] });
    expect(parse(`${one}\uFEFF---\r\n${one}`)).to.deep.equal({ values, faults: [] });
  });

  it('refuses aliases that multiply without end, in little memory', () => {
    const before = process.memoryUsage().heapUsed;
    const { values, faults } = parse(bomb);
    expect(values).to.deep.equal([]);
    expect(faults[0]).to.match(
      /^app\.yaml:\d+:\d+: ManifestInvalid: alias \*\w makes the document larger than 3 MiB$/,
    );
    expect(process.memoryUsage().heapUsed - before).to.be.lessThan(100 * 1024 * 1024);
  });

  it('refuses what is nested too deeply', () => {
    for (const text of ['['.repeat(20_000), '{a: '.repeat(20_000), '- '.repeat(20_000)]) {
      expect(parse(text).faults[0]).to.match(/nest/);
    }
    const chain = Array.from(
      { length: 150 },
      (_, index) => `k${index}: &k${index} [${index === 0 ? '' : `*k${index - 1}`}]`,
    );
    expect(parse(chain.join('\n')).faults[0]).to.match(/nested more than 100 levels deep/);
  });

  it('takes brackets and quotes that go on at the left margin or behind tabs, as kubectl does', () => {
    const text = 'a: [\n"x",\n\t"y"\n]\nb: {\n\tc: 1\n}\nd: "x\ny"\ne:\t[1,\t2]\nf: |\n  [\n  ]\n';
    expect(parse(text)).to.deep.equal({
      values: [{ a: ['x', 'y'], b: { c: 1 }, d: 'x y', e: [1, 2], f: '[\n]\n' }],
      faults: [],
    });
  });

  it('finds places in a text that it had to mend', () => {
    const { documents, faults } = parseManifests(
      'a: [\n"x", !t "y"\n]\n---\nb: [\n1,\n\t2]\nc: "d"#e\nf: 1\n',
      {
        file: 'app.yaml',
      },
    );
    expect(faults.map((fault) => fault.describe())).to.deep.equal([
      'app.yaml:2:6: ManifestInvalid: unknown tag !t',
    ]);
    const locate = documents[0]!.locate;
    expect(locate(['b', 0])).to.deep.equal({ line: 6, column: 1 });
    expect(locate(['b', 1])).to.deep.equal({ line: 7, column: 2 });
    expect(locate(['c'])).to.deep.equal({ line: 8, column: 4 });
    expect(locate(['f'])).to.deep.equal({ line: 9, column: 4 });
  });

  it('names the first line that may be wrong where brackets are not closed', () => {
    expect(parse('a: [1, 2\nb: 3\nc: 4\n').faults).to.deep.equal([
      'app.yaml:2:1: ManifestInvalid: deficient indentation',
    ]);
  });

  it('keeps empty lines after an escaped line break', () => {
    expect(parse('a: "x\\\n\n\n  y\\\n  z\\\\\n\n  w"\n').values).to.deep.equal([{ a: 'x\n\nyz\\\nw' }]);
  });

  it('ends a block scalar with a line break also where the file has none', () => {
    expect(parse('a: |\n  x').values).to.deep.equal([{ a: 'x\n' }]);
    expect(parse('a: |+\n  x\n\n  ').values).to.deep.equal([{ a: 'x\n\n\n' }]);
  });

  it('reads JSON objects that follow one another, each with its place', () => {
    const text = '{"a": 1}{"a": "\u2028\u007f"}\n{\n "a": 99999999999999999}\n---\n{"a": 4} {"b": x}\n';
    expect(parse(text)).to.deep.equal({
      values: [{ a: 1 }, { a: '\u2028\u007f' }],
      faults: [
        'app.yaml:3:7: ManifestInvalid: 99999999999999999 is beyond 2^53 and would lose digits; quote it if it is text',
        'app.yaml:5:10: ManifestInvalid: end of the stream or a document separator is expected',
      ],
    });
    const [, second] = parseManifests('{"a": 1} {"b": 2}', { file: 'app.yaml' }).documents;
    expect([second?.document, second?.locate(['b'])]).to.deep.equal([2, { line: 1, column: 16 }]);
  });

  it('takes aliases and any scalar for keys', () => {
    expect(parse('a: &x b\n*x : 1\nc: &y yes\n*y : 2\n!!str 3: 3\n!!str <<: {z: 4}\n').values).to.deep.equal([
      { 3: 3, a: 'b', b: 1, c: true, true: 2, '<<': { z: 4 } },
    ]);
  });

  it('reads the collections of YAML 1.1 as the lists and maps that they are', () => {
    expect(
      parse('a: !!set {x, z}\nb: !!omap [x: 1]\nc: !!pairs [x: 1]\nd: {!!merge <<: {x: 1}}\n').values,
    ).to.deep.equal([{ a: { x: null, z: null }, b: [{ x: 1 }], c: [{ x: 1 }], d: { x: 1 } }]);
  });

  it('refuses what kubectl and YAML 1.2 understand differently', () => {
    const doubtful: Readonly<Record<string, RegExp>> = {
      'a: x\u2028b: y\n': /^app\.yaml:1:5: .*U\+2028 cannot stand in YAML as it is/,
      'a: "\u0085"\n': /U\+0085/,
      'a: "\u007f"\n': /U\+007F/,
      'a: [?x]\n': /^app\.yaml:1:5: .*in brackets \?x may be a key or text/,
      'a: [fe80::, x]\n': /^app\.yaml:1:5: .*in brackets a key needs a space/,
      'a: &x.y 1\n': /the anchor &x\.y may have/,
      'a: "\\ud83d"\n': /half of a surrogate pair/,
      'a: !!map [1]\n': /unknown tag !!map/,
    };
    for (const [text, message] of Object.entries(doubtful)) {
      const { values, faults } = parse(text);
      expect(values, text).to.deep.equal([]);
      expect(faults, text).to.have.length(1);
      expect(faults[0], text).to.match(message);
    }
  });

  it('is done in little time and memory with files that ask for much', () => {
    const hostile: Readonly<Record<string, RegExp | undefined>> = {
      [`${'\n'.repeat(60)}a: "50%"\n`]: undefined,
      [`a: [${'[],'.repeat(2_000_000)}]`]: /too many values/,
      ['---\n'.repeat(1_000_000)]: /50000 documents/,
      ['---\n[\n'.repeat(500_000)]: /more than 100 faults; the rest of the file is not read/,
      [`a: [${'\n1,'.repeat(200_000)}\n]`]: /deficient indentation/,
      ['{}'.repeat(500_000)]: /50000 documents/,
    };
    for (const [text, message] of Object.entries(hostile)) {
      const { faults } = parseManifests(text, { file: 'app.yaml' });
      if (message === undefined) expect(faults).to.deep.equal([]);
      else expect(faults.at(-1)?.message).to.match(message);
    }
  });

  it('quotes no more of a file than a person reads', () => {
    const { faults } = parse(`a: ${'9'.repeat(100_000)}\nb: !${'x'.repeat(100_000)} c\n`);
    expect(faults).to.have.length(2);
    for (const fault of faults) expect(fault.length).to.be.lessThan(600);
  });

  it('bounds what the aliases of all documents add', () => {
    const repeat = `a: &a ${'x'.repeat(100_000)}\nb: [${'*a,'.repeat(20)}]\n---\n`;
    const { faults } = parseManifests(repeat.repeat(20), { file: 'app.yaml' });
    expect(faults[0]?.message).to.match(/adds too much to the file/);
  });

  it('tells every fault with its place', () => {
    const text = 'a: 99999999999999999999\nb: .nan\na: 3\nc: !x y\n---\nd: [\n---\nok: 1\n---\n- 1\n';
    expect(parse(text)).to.deep.equal({
      values: [{ ok: 1 }],
      faults: [
        'app.yaml:1:4: ManifestInvalid: 99999999999999999999 is beyond 2^53 and would lose digits; quote it if it is text',
        'app.yaml:2:4: ManifestInvalid: .nan is no number that JSON can hold',
        'app.yaml:3:1: ManifestInvalid: duplicate key "a"',
        'app.yaml:4:4: ManifestInvalid: unknown tag !x',
        'app.yaml:7:1: ManifestInvalid: deficient indentation',
        'app.yaml:10:1: ManifestInvalid: expected a map, found a list',
      ],
    });
  });

  it('counts documents that are empty or broken', () => {
    const { documents } = parseManifests('a: 1\n---\n# nothing\n---\nb: [\n---\nc: 1\n', {
      file: 'app.yaml',
    });
    expect(documents.map(({ document, line }) => [document, line])).to.deep.equal([
      [1, 1],
      [4, 7],
    ]);
  });

  it('keeps keys that are special in JavaScript', () => {
    const { documents } = parseManifests('__proto__: {a: 1}\nconstructor: b\n', { file: 'app.yaml' });
    expect(JSON.stringify(documents[0]?.value)).to.equal('{"__proto__":{"a":1},"constructor":"b"}');
    expect(Object.getPrototypeOf(documents[0]?.value)).to.equal(Object.prototype);
  });

  it('reads JSON, and directives before the first document', () => {
    expect(parse('{\n\t"a": "\\ud83d\\ude00\\/",\n\t"b": [1, 1.5e3, null]\n}\n').values).to.deep.equal([
      { a: '😀/', b: [1, 1500, null] },
    ]);
    expect(parse('%YAML 1.1\n---\na: 0x1\n').values).to.deep.equal([{ a: 1 }]);
  });

  it('finds the place of a value, of a key, and of the nearest ancestor of what is not there', () => {
    const { documents } = parseManifests('---\na:\n  - b: "x"\n    c:\n      d: 1\n', { file: 'app.yaml' });
    const locate = documents[0]!.locate;
    expect(locate(['a', 0, 'b'])).to.deep.equal({ line: 3, column: 8 });
    expect(locate(['a', 0, 'b'], 'key')).to.deep.equal({ line: 3, column: 5 });
    expect(locate(['a', 0, 'c', 'missing'])).to.deep.equal({ line: 4, column: 5 });
    expect(locate([])).to.deep.equal({ line: 2, column: 1 });
  });

  it('reads back any JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/\d{16}|[eE][-+]?\d{3}/.test(text) && isWellFormed(text));
        const expected: unknown = JSON.parse(text, (_, item: unknown) => (item === 0 ? 0 : item));
        expect(parse(text)).to.deep.equal({ values: [expected], faults: [] });
      }),
      { numRuns: 300 },
    );
  });

  it('ends on any input, and says something about what it does not take', () => {
    const fragments = [
      'a',
      ':',
      ' ',
      '\n',
      '- ',
      '? ',
      '---\n',
      '&x ',
      '*x',
      '!t ',
      '"',
      "'",
      '{',
      '}',
      '[',
      ']',
      ',',
      '|\n',
      '>\n',
      '<<',
      '#',
      '\t',
      '%',
      '\uFEFF',
      '0x',
      '1',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...fragments), { maxLength: 60 }), (parts) => {
        const { documents } = parseManifests(parts.join(''), { file: 'app.yaml' });
        for (const { value } of documents) expect(() => JSON.stringify(value)).not.to.throw();
      }),
      { numRuns: 2_000 },
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(parseManifests(text, { file: 'app.yaml' })).to.have.keys('documents', 'faults');
      }),
      { numRuns: 500 },
    );
  });
});

function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}
