import { expect } from 'chai';
import fc from 'fast-check';
import { encodeBody } from '../../../src/kube/encode-body.ts';

describe('encodeBody', () => {
  it('is the same value for a reader of JSON, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(JSON.parse(encodeBody({ [text]: text }))).to.deep.equal({ [text]: text });
      }),
    );
  });

  it('escapes what YAML refuses or takes for a line break', () => {
    expect(encodeBody('\u007f\u0085\u009f\u2028\u2029\ufeff')).to.equal(
      '"\\u007f\\u0085\\u009f\\u2028\\u2029\\ufeff"',
    );
    expect(encodeBody('ä€😀\u00a0')).to.equal('"ä€😀\u00a0"');
  });
});
