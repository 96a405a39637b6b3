import { expect } from 'chai';
import fc from 'fast-check';
import { parseJsonLines } from '../../../src/kube/json-lines.ts';
import { FleetError } from '../../../src/model/fleet-error.ts';

async function read(chunks: readonly Uint8Array[]): Promise<unknown[]> {
  async function* source() {
    for (const chunk of chunks) yield await Promise.resolve(chunk);
  }
  const objects: unknown[] = [];
  for await (const object of parseJsonLines(source())) objects.push(object);
  return objects;
}

describe('parseJsonLines', () => {
  const objects = [{ a: 'ä€😀' }, { b: [1, { c: null }] }, {}];
  const bytes = Buffer.from(objects.map((object) => `${JSON.stringify(object)}\n`).join('\n'));

  it('finds the same objects wherever the chunks are cut', async () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 0, max: bytes.length }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const sorted = [0, ...places.toSorted((a, b) => a - b), bytes.length];
        const chunks = sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
        expect(await read(chunks)).to.deep.equal(objects);
      }),
    );
  });

  it('takes a last line without its end', async () => {
    expect(await read([Buffer.from('{"a":1}\n{"b":2}')])).to.deep.equal([{ a: 1 }, { b: 2 }]);
  });

  for (const [what, text] of [
    ['an object that breaks off', '{"a":1}\n{"b":'],
    ['a page of HTML', '<html>\n'],
    ['a number', '42\n'],
    ['an array', '[]\n'],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const error: unknown = await read([Buffer.from(text)]).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(FleetError).and.to.include({ code: 'ClusterUnreachable' });
    });
  }
});
