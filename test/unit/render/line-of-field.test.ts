import { expect } from 'chai';

import { lineOfField, placeOfField } from '../../../src/render/line-of-field.ts';
import { generator, render } from './fleet.ts';

const text = `# first
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  annotations:
    example.com/a.b: x
spec:
  template:
    spec:
      containers:
        - name: side
          image: a
        - name: web
          image: b
          ports:
            - containerPort: 80
`;

describe('lineOfField', () => {
  const origin = { generator: 'web', file: 'web.yaml', document: 1, line: 3 };
  const lines: readonly (readonly [string, number])[] = [
    ['.spec.template.spec.containers[name=web].image', 16],
    ['.spec.template.spec.containers[0].image', 14],
    ['.spec.template.spec.containers[name=web].ports[containerPort=80]', 18],
    ['.metadata.annotations["example.com/a.b"]', 8],
    ['.spec.replicas', 9],
    ['.spec.template.spec.containers[name=none].image', 12],
    ['.', 3],
  ];
  for (const [path, line] of lines) {
    it(`finds ${path}`, () => {
      expect(lineOfField(text, origin, path)).to.equal(line);
    });
  }

  it('finds an item of a List, and nothing where the object is not', () => {
    const list = `apiVersion: v1\nkind: List\nitems:\n  - kind: A\n    data: {x: 1}\n  - kind: B\n    data:\n      x: 1\n`;
    expect(lineOfField(list, { ...origin, line: 6 }, '.data.x')).to.equal(8);
    expect(lineOfField(list, { ...origin, line: 5 }, '.data.x')).to.equal(undefined);
    expect(lineOfField(text, { ...origin, document: 2 }, '.data.x')).to.equal(undefined);
  });
});

describe('placeOfField', () => {
  it('finds the patch that wrote a field, and the object’s own file for all others', async () => {
    const spec = `clusterSelector: {}
source: {path: apps/web}
namespace: shop
overrides:
  - clusterSelector: {}
    patches:
      - target: {kind: Deployment}
        merge:
          metadata:
            labels: {team: shop}
          spec: {replicas: 3}
      - target: {kind: Deployment}
        json:
          - op: add
            path: /spec/template/spec/containers/0
            value: {name: first, image: f}
          - op: replace
            path: /spec/template/spec/containers/2/image
            value: patched
          - {op: replace, path: /spec/replicas, value: 4}`;
    const state = await render({
      'generators/web.yaml': generator('web').replace(/spec: .*/, `spec:\n${spec.replace(/^/gm, '  ')}`),
      'apps/web/web.yaml': text,
    });
    const [object] = state.objects;
    if (object === undefined) throw new Error(state.faults[0]?.describe());
    const placeOf = (path: string): string => {
      const place = placeOfField(object, path, text);
      return `${place?.file ?? ''}:${place?.line ?? ''}`;
    };
    expect(placeOf('.metadata.labels.team')).to.equal('generators/web.yaml:14');
    expect(placeOf('.spec.replicas')).to.equal('generators/web.yaml:24');
    expect(placeOf('.spec.template.spec.containers[name=web].image')).to.equal('generators/web.yaml:21');
    expect(placeOf('.spec.template.spec.containers[name=first].image')).to.equal('generators/web.yaml:18');
    expect(placeOf('.spec.template.spec.containers[name=side].image')).to.equal('apps/web/web.yaml:14');
    expect(placeOf('.metadata.annotations["example.com/a.b"]')).to.equal('apps/web/web.yaml:8');
  });
});
