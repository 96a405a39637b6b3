/**
 * A shortest path along the edges of a graph, both ends included; undefined where there is none. Of several it is the
 * one whose steps come first in the lists. Linear in the size of the graph, and without recursion.
 * @param starts where it may begin.
 * @param edges from each node to the next ones. Nodes that are not in the map lead nowhere.
 */
export function shortestPath(
  starts: readonly string[],
  end: string,
  edges: ReadonlyMap<string, readonly string[]>,
): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>(starts.map((start) => [start, undefined]));
  for (const node of cameFrom.keys()) {
    if (node === end) {
      const path: string[] = [];
      for (let step: string | undefined = node; step !== undefined; step = cameFrom.get(step))
        path.unshift(step);
      return path;
    }
    for (const next of edges.get(node) ?? []) if (!cameFrom.has(next)) cameFrom.set(next, node);
  }
  return undefined;
}
