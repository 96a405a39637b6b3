import { expect } from 'chai';

import { decodeText } from '../../../../src/config/yaml/decode-text.ts';

describe('decodeText', () => {
  it('reads UTF-8', () => {
    expect(decodeText(Buffer.from('név: ✓'))).to.deep.equal({ ok: true, text: 'név: ✓' });
  });

  it('reads UTF-16 that says so, as Windows PowerShell writes it', () => {
    const text = '\uFEFFnév: 😀';
    const bytes = Buffer.from(text, 'utf16le');
    expect(decodeText(bytes)).to.deep.equal({ ok: true, text });
    expect(decodeText(Buffer.from(bytes).swap16())).to.deep.equal({ ok: true, text });
  });

  const refused: readonly (readonly [string, Uint8Array, RegExp])[] = [
    ['what is not UTF-8', Buffer.from([0x61, 0xff, 0xfe]), /not UTF-8/],
    ['UTF-16 that is cut short', Buffer.from('\uFEFFkind: A', 'utf16le').subarray(0, -1), /not UTF-16LE/],
    [
      'a pointer of Git LFS',
      Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n'),
      /Git LFS/,
    ],
    ['a file that is too large', new Uint8Array(10 * 1024 * 1024 + 1), /10\.0 MiB; at most 10 MiB/],
  ];
  for (const [what, bytes, message] of refused) {
    it(`refuses ${what}`, () => {
      const decoded = decodeText(bytes);
      expect(decoded.ok).to.equal(false);
      expect(decoded).to.have.property('message').that.matches(message);
    });
  }
});
