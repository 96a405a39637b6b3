import { expect } from 'chai';

import { isCovered, parseFieldPatterns } from '../../../src/model/field-pattern.ts';
import type { PathElement } from '../../../src/model/managed-fields.ts';

const web: readonly PathElement[] = [
  { field: 'spec' },
  { field: 'containers' },
  { index: 1, item: { name: 'web', image: 'a' } },
  { field: 'image' },
];

function covers(text: string, path: readonly PathElement[]): boolean {
  const parsed = parseFieldPatterns(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return isCovered(parsed.patterns, path);
}

describe('parseFieldPatterns', () => {
  for (const text of [
    '.spec.containers[name=web].image',
    '.spec.containers[name="web"].image',
    '.spec.containers[*].image',
    '.spec.*',
    ' .data\n.spec.containers[name=web] ',
  ]) {
    it(`reads ${JSON.stringify(text)}, which covers the image of web`, () => {
      expect(covers(text, web)).to.equal(true);
    });
  }

  for (const text of [
    '.spec.containers[name=other].image',
    '.spec.containers[*].env',
    '.spec.containers[image=web]',
    '.spec.containers.web',
    '.spec.containers[name=web].image.tag',
  ]) {
    it(`reads ${text}, which does not cover it`, () => {
      expect(covers(text, web)).to.equal(false);
    });
  }

  it('reads keys that are no plain words, commas within them included', () => {
    expect(covers('.data["app.conf"], .data["a,b"]', [{ field: 'data' }, { field: 'a,b' }])).to.equal(true);
    expect(covers('.data["app.conf"]', [{ field: 'data' }, { field: 'app.conf' }])).to.equal(true);
  });

  it('takes a number for the text of it', () => {
    const port = [{ field: 'ports' }, { index: 0, item: { port: 80 } }];
    expect(covers('.ports[port=80]', port)).to.equal(true);
  });

  for (const [text, part] of [
    ['', 'names no path'],
    ['spec.replicas', 'begins with a dot'],
    ['.spec.containers[0].image', 'name them by a key'],
    ['.spec..replicas', 'cannot be read'],
    ['.data["a]', 'cannot be read'],
    ['.spec.replicas, .kind', '.kind tells what the object is'],
    ['.metadata.name', 'cannot be left'],
    ['.metadata.labels', 'keeps its own labels'],
    ['.metadata.labels["applyset.kubernetes.io/part-of"]', 'keeps its own labels'],
    ['.metadata.*', 'cannot be left'],
    ['.status.ready', 'never written'],
    ['.*', 'everything'],
  ] as const) {
    it(`refuses ${JSON.stringify(text)}: ${part}`, () => {
      const parsed = parseFieldPatterns(text);
      expect(parsed.ok ? '' : parsed.message).to.contain(part);
    });
  }
});
