import { expect } from 'chai';
import { parseLsRemote } from '../../../../src/git/native/ls-remote.ts';

describe('parseLsRemote', () => {
  it('puts a tag and its target together, whatever the length of ids', () => {
    for (const length of [40, 64]) {
      const [a, b] = ['a'.repeat(length), 'b'.repeat(length)];
      const text = `${a}\tHEAD\n${a}\trefs/heads/main\n${b}\trefs/tags/v1\n${a}\trefs/tags/v1^{}\n`;
      expect(parseLsRemote(text)).to.deep.equal([
        { name: 'HEAD', oid: a },
        { name: 'refs/heads/main', oid: a },
        { name: 'refs/tags/v1', oid: b, peeled: a },
      ]);
    }
  });

  it('passes over everything else', () => {
    expect(parseLsRemote('warning: odd\n\n')).to.deep.equal([]);
  });
});
