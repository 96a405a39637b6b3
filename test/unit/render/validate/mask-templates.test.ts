import { expect } from 'chai';

import { maskTemplates } from '../../../../src/render/validate/mask-templates.ts';

describe('maskTemplates', () => {
  it('puts words in the place of outputs, and nothing in the place of tags and of lines that are outputs alone', () => {
    const text = [
      '{% if a %}',
      'a: {{ b }}',
      'c: "{{ d }}-{{ e }}"',
      '  {{- include "f" . | nindent 4 }}',
      '{%- comment %} {{ g }} {% endcomment %}h: i',
      'j: {k: {{ l }}}',
    ].join('\n');
    const masked = maskTemplates(text);
    expect(masked.split('\n').map((line) => line.trimEnd())).to.deep.equal([
      '',
      'a: xxxxxxx',
      'c: "xxxxxxx-xxxxxxx"',
      '',
      '               xxxxxxx                 h: i',
      'j: {k: xxxxxxx}',
    ]);
    expect(masked.split('\n').map(({ length }) => length)).to.deep.equal(
      text.split('\n').map(({ length }) => length),
    );
  });

  it('leaves what is not closed, whatever there is of it', () => {
    const text = `${'{% '.repeat(100_000)}${'{{ '.repeat(100_000)}${'{{}} '.repeat(100_000)}x`;
    expect(maskTemplates(text)).to.have.length(text.length);
  });
});
