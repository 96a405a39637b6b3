import { expect } from 'chai';
import fc from 'fast-check';
import { type BatchAnswer, createBatchParser } from '../../../../src/git/native/parse-batch.ts';

const oid = 'a'.repeat(40);

/** What the parser makes of an output that comes in these pieces. */
function parsed(pieces: readonly Buffer[], maxBytes = 1_000): unknown[] {
  const answers: unknown[] = [];
  const parse = createBatchParser(maxBytes, (answer: BatchAnswer) => {
    answers.push(answer.kind === 'object' ? [answer.type, answer.bytes.toString()] : answer);
  });
  for (const piece of pieces) parse(piece);
  return answers;
}

describe('the output of git cat-file --batch', () => {
  const output = Buffer.from(
    `${oid} blob 5\na\nb\nc\n${oid} missing\n${oid} tree 0\n\n${oid} blob 2000\n${'x'.repeat(2000)}\n${oid} commit 2\nok\n`,
  );
  const answers = [
    ['blob', 'a\nb\nc'],
    { kind: 'missing' },
    ['tree', ''],
    { kind: 'tooLarge', sizeBytes: 2000 },
    ['commit', 'ok'],
  ];

  it('is read as objects, missing ones and too large ones', () => {
    expect(parsed([output])).to.deep.equal(answers);
  });

  it('is read the same in whatever pieces it comes', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(output.length)), (cuts) => {
        const ends = [...cuts.sort((a, b) => a - b), output.length];
        const pieces = ends.map((end, index) => output.subarray(ends[index - 1] ?? 0, end));
        expect(parsed(pieces)).to.deep.equal(answers);
      }),
    );
  });

  it('hands out what the id is the hash of', () => {
    let hashed = '';
    createBatchParser(10, (answer) => {
      if (answer.kind === 'object') hashed = answer.hashed.toString();
    })(Buffer.from(`${oid} blob 2\nok\n`));
    expect(hashed).to.equal('blob 2\0ok');
  });

  for (const text of [`${oid} ambiguous\n`, `${oid} blob x\n`, 'z'.repeat(10_000)]) {
    it(`is refused when it is ${text.slice(0, 60).trim()}`, () => {
      expect(() => parsed([Buffer.from(text)])).to.throw(Error, 'something else than objects');
    });
  }
});
