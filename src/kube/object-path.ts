import { FleetError } from '../model/fleet-error.ts';
import { formatRef, groupOf, type ObjectRef } from '../model/object-ref.ts';
import type { ResourceInfo } from './discovery.ts';

/** The path of a kind, or of one namespace of it: '/apis/apps/v1/namespaces/shop/deployments'. */
export function collectionPath(resource: ResourceInfo, namespace = ''): string {
  const root = groupOf(resource.apiVersion) === '' ? '/api' : '/apis';
  const within =
    resource.namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}/${resource.apiVersion}${within}/${resource.plural}`;
}

/**
 * The path of one object, in the resource's version whatever the ref's.
 * @throws FleetError Internal for a ref that names no object: its path would be that of all of them.
 */
export function objectPath(resource: ResourceInfo, ref: ObjectRef): string {
  if (ref.name === '' || (resource.namespaced && ref.namespace === '')) {
    throw new FleetError('Internal', `${formatRef(ref)} has no name or no namespace`, { ref });
  }
  return `${collectionPath(resource, ref.namespace)}/${encodeURIComponent(ref.name)}`;
}
