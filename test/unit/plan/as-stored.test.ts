import { expect } from 'chai';

import type { JsonObject } from '../../../src/model/json.ts';
import { asStored } from '../../../src/plan/as-stored.ts';
import { refOf } from './objects.ts';

describe('asStored', () => {
  const role = refOf('ClusterRole/all');
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
  const aggregationRule: JsonObject = { clusterRoleSelectors: [] };

  it('leaves the rules of a ClusterRole that aggregates others to the controller', () => {
    expect(asStored({ aggregationRule, rules }, role)).to.deep.equal({ aggregationRule });
    expect(asStored({ aggregationRule, rules: [] }, role)).to.deep.equal({ aggregationRule });
  });

  it('keeps those of any other', () => {
    for (const manifest of [{ rules }, { rules, aggregationRule: null }, { aggregationRule }])
      expect(asStored(manifest, role)).to.deep.equal(manifest);
    const widget = refOf('Widget/all');
    expect(asStored({ aggregationRule, rules }, widget)).to.deep.equal({ aggregationRule, rules });
  });

  it('writes the text of a Secret as the data that it becomes, over what is there', () => {
    const secret = { data: { a: 'eA==', b: 'eQ==' }, stringData: { a: 'text' } };
    expect(asStored(secret, refOf('Secret/a'))).to.deep.equal({ data: { a: 'dGV4dA==', b: 'eQ==' } });
  });

  it('leaves what is no map of text for the server to refuse', () => {
    for (const wrong of [
      { stringData: { a: 1 } },
      { data: '', stringData: { a: 'x' } },
      { data: [], stringData: {} },
    ])
      expect(asStored(wrong, refOf('Secret/a'))).to.equal(wrong);
    expect(asStored({ data: null, stringData: { a: 'x' } }, refOf('Secret/a'))).to.deep.equal({
      data: { a: 'eA==' },
    });
  });
});
