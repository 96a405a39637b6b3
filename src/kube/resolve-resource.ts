import type { ObjectRef } from '../model/object-ref.ts';
import type { ResourceInfo } from './discovery.ts';

/** How a kind is reached; undefined when the cluster serves no such kind and nothing applied brings it. */
export type ResolveResource = (ref: Pick<ObjectRef, 'apiVersion' | 'kind'>) => ResourceInfo | undefined;
