import { expect } from 'chai';

import { html, when } from '../../../../src/server/page/html.ts';

describe('html', () => {
  it('makes text of whatever is put into an element', () => {
    expect(html`<p>${'<script>alert(1)</script> & "more"'}</p>`.markup).to.equal(
      '<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;</p>',
    );
  });

  it('lets nothing out of a quoted attribute', () => {
    expect(html`<b title="${`" onclick='x'`}"></b>`.markup).to.equal(
      '<b title="&quot; onclick=&#39;x&#39;"></b>',
    );
  });

  it('shows characters that hide or turn text around', () => {
    expect(html`${'a\u0000b\u001b[31m\u202ec\nd\u200b'}`.markup).to.equal(
      'a\\u0000b\\u001b[31m\\u202ec\\nd\\u200b',
    );
  });

  it('keeps markup of its own, in lists too', () => {
    const items = ['<', '>'].map((text) => html`<b>${text}</b>`);
    const never = when(false, () => 'never');
    expect(html`<p>${items}${never}${1}</p>`.markup).to.equal('<p><b>&lt;</b><b>&gt;</b>1</p>');
  });
});
