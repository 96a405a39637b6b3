import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/model/json.ts';
import { additionsOf, ownershipOf } from '../../../src/model/managed-fields.ts';
import type { Baseline } from '../../../src/model/observation.ts';
import type { PreparedObject } from '../../../src/model/plan.ts';

type Path = string | readonly string[];

/** One entry of metadata.managedFields, as an API server of 1.36 writes it. */
interface Entry {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly time?: string;
  readonly subresource?: string;
  fieldsV1: JsonObject;
}

/**
 * A live object step by step, as it was seen on a real API server after each step: who edits a field of ours takes it
 * out of our entry of managedFields, and who deletes one leaves it in no entry at all.
 */
export class LiveObject {
  readonly #object: JsonObject;
  readonly #entries: Entry[];

  private constructor(object: JsonObject, entries: Entry[]) {
    this.#object = object;
    this.#entries = entries;
  }

  /** What the server answers to our apply. */
  static applied({ body }: PreparedObject, uid = 'uid-1'): LiveObject {
    const object = structuredClone(body);
    const metadata = object['metadata'] as JsonObject;
    Object.assign(metadata, { uid, resourceVersion: '7', generation: 1 });
    const entry: Entry = {
      manager: 'fleetwright',
      operation: 'Apply',
      time: '2026-05-01T12:00:00Z',
      fieldsV1: fieldSetOf(body),
    };
    return new LiveObject(object, [entry]);
  }

  /** An object that others made. */
  static made(object: JsonObject, manager = 'kubectl-create'): LiveObject {
    const made = structuredClone(object);
    Object.assign(made['metadata'] as JsonObject, { uid: 'uid-1', resourceVersion: '7' });
    const time = '2026-04-01T12:00:00Z';
    return new LiveObject(made, [{ manager, operation: 'Update', time, fieldsV1: fieldSetOf(made) }]);
  }

  /** Somebody changes or adds a field: 'data.a', or its keys one by one. */
  edited(path: Path, value: JsonValue, manager = 'kubectl-edit'): LiveObject {
    const next = this.#copy();
    const steps = stepsOf(path);
    setAt(next.#object, steps, value);
    for (const entry of next.#entries) if (entry.manager !== manager) forget(entry.fieldsV1, steps);
    next.#entryOf(manager, 'Update', { time: '2026-05-01T12:05:00Z' }).claim(steps);
    return next;
  }

  /** kubectl scale: through the subresource, without a time. */
  scaled(replicas: number): LiveObject {
    const next = this.#copy();
    const steps = ['spec', 'replicas'];
    setAt(next.#object, steps, replicas);
    for (const entry of next.#entries) forget(entry.fieldsV1, steps);
    next.#entryOf('kubectl-scale', 'Update', { subresource: 'scale' }).claim(steps);
    return next;
  }

  /** Somebody deletes a field. */
  without(path: Path): LiveObject {
    const next = this.#copy();
    const steps = stepsOf(path);
    deleteAt(next.#object, steps);
    for (const entry of next.#entries) forget(entry.fieldsV1, steps);
    return next;
  }

  /** As after a patch of `managedFields: [{}]`. */
  withoutManagedFields(): LiveObject {
    return new LiveObject(structuredClone(this.#object), []);
  }

  /** Somebody applies in our name: the same fields, another time. */
  appliedInOurName(path: Path, value: JsonValue): LiveObject {
    const next = this.#copy();
    setAt(next.#object, stepsOf(path), value);
    const own = next.#entries.find(({ manager }) => manager === 'fleetwright');
    if (own !== undefined) Object.assign(own, { time: '2026-05-01T12:09:00Z' });
    return next;
  }

  /** With these keys in its metadata, set by nobody in particular. */
  marked(metadata: JsonObject): LiveObject {
    const next = this.#copy();
    for (const [key, value] of Object.entries(metadata)) {
      const before = (next.#object['metadata'] as JsonObject)[key];
      setAt(
        next.#object,
        ['metadata', key],
        isJsonObject(before) && isJsonObject(value) ? { ...before, ...value } : value,
      );
    }
    return next;
  }

  get json(): JsonObject {
    const object = structuredClone(this.#object);
    const metadata = object['metadata'] as JsonObject;
    // Entries are plain JSON once undefined keys are gone.
    metadata['managedFields'] = JSON.parse(JSON.stringify(this.#entries)) as JsonValue;
    return object;
  }

  /** What we would remember of it. */
  baseline({ ref, hash }: PreparedObject): Baseline {
    return {
      ref,
      uid: (this.#object['metadata'] as JsonObject)['uid'] as string,
      desiredHash: hash,
      ownership: ownershipOf(this.json),
      additions: additionsOf(this.json),
    };
  }

  #copy(): LiveObject {
    return new LiveObject(structuredClone(this.#object), structuredClone(this.#entries));
  }

  #entryOf(
    manager: string,
    operation: Entry['operation'],
    more: Pick<Entry, 'time' | 'subresource'>,
  ): { claim(steps: readonly string[]): void } {
    let entry = this.#entries.find((candidate) => candidate.manager === manager);
    if (entry === undefined) {
      entry = { manager, operation, ...more, fieldsV1: {} };
      this.#entries.push(entry);
    }
    const { fieldsV1 } = entry;
    return {
      claim: (steps) => {
        setAt(
          fieldsV1,
          steps.map((step) => `f:${step}`),
          {},
        );
      },
    };
  }
}

/** The leaves of an object without what every object has, as a field set; lists are taken as one. */
function fieldSetOf(object: JsonObject): JsonObject {
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...rest } = object;
  const { name: _name, namespace: _namespace, ...named } = metadata as JsonObject;
  delete named['uid'];
  delete named['resourceVersion'];
  return leaves({ ...rest, metadata: named });
}

function leaves(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [`f:${key}`, isJsonObject(value) ? leaves(value) : {}]),
  );
}

function stepsOf(path: Path): readonly string[] {
  return typeof path === 'string' ? path.split('.') : path;
}

function setAt(object: JsonObject, steps: readonly string[], value: JsonValue): void {
  const [step = '', ...rest] = steps;
  if (rest.length === 0) object[step] = value;
  else setAt((object[step] ??= {}) as JsonObject, rest, value);
}

function deleteAt(object: JsonObject, steps: readonly string[]): void {
  const [step = '', ...rest] = steps;
  const below = object[step];
  if (rest.length === 0) Reflect.deleteProperty(object, step);
  else if (isJsonObject(below)) deleteAt(below, rest);
}

/** Takes a path out of a field set, and with it every set above that it leaves empty. */
function forget(fields: JsonObject, [step = '', ...rest]: readonly string[]): void {
  const key = `f:${step}`;
  const below = fields[key];
  if (isJsonObject(below) && rest.length > 0) {
    forget(below, rest);
    if (Object.keys(below).length > 0) return;
  }
  Reflect.deleteProperty(fields, key);
}
