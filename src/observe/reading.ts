import { healthOf } from '../health/health-of.ts';
import { metadataAccept, wholeAccept } from '../kube/objects.ts';
import type { JsonObject } from '../model/json.ts';
import type { OwnedObject } from '../model/observation.ts';
import { type ReduceAs, reduceOwned } from './reduce-owned.ts';

/** What is asked for of the objects of a kind, and what is kept of each. */
export interface Reading {
  readonly accept: { readonly object: string; readonly list: string };
  readonly reduce: (object: JsonObject, as: ReduceAs) => OwnedObject;
}

/** All that drift and pruning need. */
export const metadataReading: Reading = { accept: metadataAccept, reduce: reduceOwned };

/** With the health, which is in the status: for kinds of which somebody wants to know it. */
export const healthReading: Reading = { accept: wholeAccept, reduce: reduceWithHealth };

/** Items of a list do not say what they are, and health goes by the kind. */
function reduceWithHealth(object: JsonObject, as: ReduceAs): OwnedObject {
  const { apiVersion, kind } = as;
  return { ...reduceOwned(object, as), health: healthOf({ ...object, apiVersion, kind }) };
}
