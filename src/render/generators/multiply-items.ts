import type { Kind } from './expand-each.ts';
import { type Item, joinMaps } from './item.ts';

export interface Product {
  readonly items: readonly Item[];
  /** Each pair of items that give one key, as a message that names both. */
  readonly clashes: readonly string[];
}

/** Clashes that are told; that there are more says nothing new. */
const maxClashes = 10;

/** Every combination of one item of each kind. The first kind varies slowest. Two that give one key are no combination. */
export function multiplyItems(kinds: readonly Pick<Kind, 'items'>[]): Product {
  const [first, ...others] = kinds;
  let items: readonly Item[] = first?.items ?? [];
  const clashes = new Set<string>();
  for (const kind of others) {
    items = items.flatMap((left) =>
      kind.items.flatMap((right) => {
        const key = Object.keys(right.value).find((candidate) => Object.hasOwn(left.value, candidate));
        if (key === undefined) return [join(left, right)];
        if (clashes.size < maxClashes)
          clashes.add(`${left.label} and ${right.label} both give the key ${JSON.stringify(key)}`);
        return [];
      }),
    );
  }
  return { items, clashes: [...clashes] };
}

function join(left: Item, right: Item): Item {
  return {
    value: joinMaps(left.value, right.value),
    own: joinMaps(left.own, right.own),
    label: `${left.label}, ${right.label}`,
  };
}
