import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';

import { type ManifestFile, readManifestBytes } from '../../../../src/render/manifests/manifest-file.ts';

const corpusDir = join(import.meta.dirname, '..', '..', '..', 'cluster', 'render', 'corpus');
/** Files of every oddity; large ones only make the mutations slow. */
const corpus = readdirSync(corpusDir)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => readFileSync(join(corpusDir, file)))
  .filter((bytes) => bytes.byteLength < 4_000);

/** Characters that mean something to YAML, JSON or UTF-8. */
const inserts = [
  ...Array.from('\n\r\t :-?#&*!|>\'"%@`{}[],0_.~<=\\'),
  ...[
    '\uFEFF',
    '\u0085',
    '\u2028',
    '\u0000',
    '\ud83d',
    '😀',
    '---\n',
    '...\n',
    '\n---\n',
    '<<: ',
    '- ',
    '? ',
    '!!',
    '%TAG',
  ],
].map((text) => Buffer.from(text));

const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.nat({ max: 40 }),
  insert: fc.oneof(fc.constantFrom(...inserts), fc.uint8Array({ maxLength: 4 }), fc.constantFrom(...corpus)),
});

/** Bytes that once were a manifest. */
const mutated = fc
  .tuple(fc.constantFrom(...corpus), fc.array(mutation, { minLength: 1, maxLength: 5 }))
  .map(([bytes, mutations]) =>
    mutations.reduce<Uint8Array>((current, { at, remove, insert }) => {
      const start = Math.floor(at * current.byteLength);
      return Buffer.concat([current.subarray(0, start), insert, current.subarray(start + remove)]);
    }, bytes),
  );

describe('any bytes that are taken for a manifest', () => {
  it('give objects that can be sent and faults that lie in the file, and never an exception', () => {
    fc.assert(
      fc.property(mutated, (bytes) => {
        checkFile(readManifestBytes(bytes), bytes);
      }),
      { numRuns: 3_000 },
    );
  });

  it('do so, too, where they are made of what means something to YAML', () => {
    const texts = fc.array(fc.constantFrom(...inserts, Buffer.from('a'), Buffer.from('kind: A\n')), {
      maxLength: 80,
    });
    fc.assert(
      fc.property(texts, (parts) => {
        const bytes = Buffer.concat(parts);
        checkFile(readManifestBytes(bytes), bytes);
      }),
      { numRuns: 2_000 },
    );
  });

  it('give the same objects however often they are read, and alone as among others', () => {
    fc.assert(
      fc.property(fc.constantFrom(...corpus), fc.constantFrom(...corpus), (first, second) => {
        const alone = readManifestBytes(second);
        fc.pre(alone.faults.length === 0 && isPlainUtf8(first) && isPlainUtf8(second));
        const both = readManifestBytes(Buffer.concat([first, Buffer.from('\n---\n'), second]));
        const last = both.objects.slice(-alone.objects.length || both.objects.length);
        expect(last.map(({ manifest }) => manifest)).to.deep.equal(
          alone.objects.map(({ manifest }) => manifest),
        );
      }),
      { numRuns: 300 },
    );
  });
});

function checkFile({ objects, faults }: ManifestFile, bytes: Uint8Array): void {
  const lines = Buffer.from(bytes)
    .toString('latin1')
    .split(/\r\n|\r|\n/).length;
  for (const { manifest, ref, line, document } of objects) {
    expect(JSON.parse(JSON.stringify(manifest))).to.deep.include({
      apiVersion: ref.apiVersion,
      kind: ref.kind,
    });
    expect(line).to.be.within(1, lines);
    expect(document).to.be.at.least(1);
  }
  for (const { message, line, column = 1, document } of faults) {
    expect(message).not.to.equal('');
    expect(message.length).to.be.lessThan(600);
    expect(line).to.be.within(1, lines);
    expect(column).to.be.within(1, bytes.byteLength + 1);
    expect(document).to.be.at.least(1);
  }
}

/** UTF-8, which can be joined to UTF-8, and without directives, which belong to the first document alone. */
function isPlainUtf8(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString('utf8');
  return Buffer.from(text).equals(bytes) && !text.startsWith('%');
}
