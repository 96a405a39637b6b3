import { expect } from 'chai';

import { lineOfField } from '../../../src/render/line-of-field.ts';

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
