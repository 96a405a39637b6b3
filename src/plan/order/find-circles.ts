import { shortestPath } from '../../model/shortest-path.ts';

/**
 * The nodes of a graph that lie on a circle, each with one such circle, a node named at both its ends. Deterministic
 * for a given order of the map; linear in the size of the graph, and without recursion.
 * @param edges from each node to those that it depends on. Edges to nodes that are not in the map lead nowhere.
 */
export function findCircles(edges: ReadonlyMap<string, readonly string[]>): Map<string, readonly string[]> {
  const circles = new Map<string, readonly string[]>();
  const left = withoutLeaves(edges);
  for (const node of left.keys()) {
    const path = shortestPath(left.get(node) ?? [], node, left);
    if (path !== undefined) circles.set(node, [node, ...path]);
  }
  return circles;
}

/** What remains when nodes without dependencies are taken away, again and again: circles, and what depends on them. */
function withoutLeaves(edges: ReadonlyMap<string, readonly string[]>): Map<string, readonly string[]> {
  const dependants = new Map<string, string[]>();
  const open = new Map<string, number>();
  for (const [node, targets] of edges) {
    const known = [...new Set(targets)].filter((target) => edges.has(target));
    open.set(node, known.length);
    for (const target of known) dependants.set(target, [...(dependants.get(target) ?? []), node]);
  }
  const free = [...open].flatMap(([node, count]) => (count === 0 ? [node] : []));
  for (const node of free) {
    for (const dependant of dependants.get(node) ?? []) {
      const count = (open.get(dependant) ?? 0) - 1;
      open.set(dependant, count);
      if (count === 0) free.push(dependant);
    }
  }
  const gone = new Set(free);
  return new Map([...edges].filter(([node]) => !gone.has(node)));
}
