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
        fc.pre(
          !/\d{16}|[eE][-+]?\d{3}|\u007f|[\u0080-\u009f\ufeff\ufffe\uffff]/.test(text) && isWellFormed(text),
        );
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
