import { createHash } from 'node:crypto';

/**
 * A stable name of what is held, made of all that an approval has to cover: approving it releases exactly what was
 * shown, and any change of the set makes another id, so that an old approval expires by itself.
 * @param parts for example the cluster, the reason's name and each object's key with its uid.
 */
export function holdId(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 12);
}
