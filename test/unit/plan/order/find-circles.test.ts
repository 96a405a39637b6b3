import { expect } from 'chai';
import fc from 'fast-check';

import { findCircles } from '../../../../src/plan/order/find-circles.ts';

const node = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const graph = fc
  .array(fc.tuple(node, fc.array(node, { maxLength: 3 })))
  .map((entries) => new Map<string, readonly string[]>(entries));

/** Whether a way along the edges leads from a node back to it, found by trying all. */
function returns(start: string, edges: ReadonlyMap<string, readonly string[]>): boolean {
  const reached = new Set<string>();
  const walk = (from: string): void => {
    for (const next of edges.get(from) ?? []) {
      if (reached.has(next) || !edges.has(next)) continue;
      reached.add(next);
      walk(next);
    }
  };
  walk(start);
  return reached.has(start);
}

describe('findCircles', () => {
  it('finds just the nodes that a way leads back to', () => {
    fc.assert(
      fc.property(graph, (edges) => {
        const expected = [...edges.keys()].filter((start) => returns(start, edges));
        expect([...findCircles(edges).keys()]).to.have.members(expected);
      }),
    );
  });

  it('gives each a way along the edges, from the node to itself', () => {
    fc.assert(
      fc.property(graph, (edges) => {
        for (const [start, circle] of findCircles(edges)) {
          expect([circle[0], circle.at(-1)]).to.deep.equal([start, start]);
          for (const [index, from] of circle.slice(0, -1).entries())
            expect(edges.get(from)).to.include(circle[index + 1]);
        }
      }),
    );
  });

  it('takes one that depends on itself for a circle', () => {
    expect(findCircles(new Map([['a', ['a']]]))).to.deep.equal(new Map([['a', ['a', 'a']]]));
  });

  it('takes no notice of what it does not know', () => {
    expect(findCircles(new Map([['a', ['x']]])).size).to.equal(0);
  });

  it('walks a chain of any length', () => {
    const chain = new Map(Array.from({ length: 50_000 }, (_, index) => [`${index}`, [`${index + 1}`]]));
    expect(findCircles(chain).size).to.equal(0);
  });
});
