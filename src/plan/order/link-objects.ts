import { dependsOnAnnotation } from '../../model/apply-set.ts';
import { FleetError } from '../../model/fleet-error.ts';
import { stringAt } from '../../model/json.ts';
import { formatRef } from '../../model/object-ref.ts';
import type { PreparedObject } from '../../model/plan.ts';
import { findCircles } from './find-circles.ts';
import { needsOf } from './needs.ts';
import { type DependencyRef, parseDependsOn } from './parse-depends-on.ts';

export interface LinkedObjects {
  /** Those whose dependencies are all there. */
  readonly objects: readonly PreparedObject[];
  readonly failures: readonly { readonly object: PreparedObject; readonly error: FleetError }[];
}

/**
 * Finds what objects say that they depend on. An annotation that cannot be read, names what Git does not give this
 * cluster, or closes a circle fails its object; what depends on that is for the one who applies to stop.
 */
export function linkObjects(objects: readonly PreparedObject[]): LinkedObjects {
  if (!objects.some(saysDependencies)) return { objects, failures: [] };
  const byKey = new Map(objects.map((object) => [object.key, object]));
  const failures: LinkedObjects['failures'][number][] = [];
  const linked = new Map<string, PreparedObject>();
  for (const object of objects) {
    const link = linkObject(object, byKey);
    if (link instanceof FleetError) failures.push({ object, error: link });
    else linked.set(object.key, link);
  }
  const needs = needsOf([...linked.values()]);
  const circles = findCircles(new Map([...linked].map(([key, object]) => [key, needs(object)])));
  for (const [key, circle] of circles) {
    const object = linked.get(key);
    if (object === undefined) continue;
    linked.delete(key);
    const path = circle.map((node) => nameOf(node, byKey)).join(' → ');
    failures.push({ object, error: invalid(`its dependencies form a circle: ${path}`) });
  }
  return { objects: [...linked.values()], failures };
}

function linkObject(
  object: PreparedObject,
  byKey: ReadonlyMap<string, PreparedObject>,
): PreparedObject | FleetError {
  const text = dependenciesOf(object);
  if (text === undefined) return object;
  const parsed = parseDependsOn(text);
  if (!parsed.ok) return invalid(`${dependsOnAnnotation}: ${parsed.message}`);
  const missing = parsed.refs.filter(({ key }) => !byKey.has(key));
  if (missing.length > 0) return new FleetError('DependencyFailed', notInGit(missing));
  return { ...object, dependsOn: [...new Set(parsed.refs.map(({ key }) => key))] };
}

function dependenciesOf({ body }: PreparedObject): string | undefined {
  return stringAt(body, 'metadata', 'annotations', dependsOnAnnotation);
}

function saysDependencies(object: PreparedObject): boolean {
  return dependenciesOf(object) !== undefined;
}

function notInGit(missing: readonly DependencyRef[]): string {
  const names = missing.map(({ text }) => text).join(', ');
  return `it depends on ${names}, which Git does not give this cluster`;
}

function invalid(message: string): FleetError {
  return new FleetError('ManifestInvalid', message);
}

function nameOf(key: string, byKey: ReadonlyMap<string, PreparedObject>): string {
  const object = byKey.get(key);
  return object === undefined ? key : formatRef(object.ref);
}
