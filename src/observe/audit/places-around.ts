import type { AuditedPlace } from './audit-event.ts';
import { collectionOf, placeKey } from './write-index.ts';

/** Whether a place is one of these objects, the whole collection of one, or its namespace. Pure. */
export function placesAround(objects: Iterable<AuditedPlace>): (place: AuditedPlace) => boolean {
  const keys = new Set<string>();
  for (const place of objects) {
    keys.add(placeKey(place));
    keys.add(placeKey(collectionOf(place)));
    if (place.namespace !== '') keys.add(placeKey(namespacePlace(place.namespace)));
  }
  return (place) => keys.has(placeKey(place));
}

/** A namespace as an object. */
export function namespacePlace(name: string): AuditedPlace {
  return { group: '', resource: 'namespaces', namespace: '', name };
}
