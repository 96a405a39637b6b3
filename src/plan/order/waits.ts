import type { Change } from '../../model/change.ts';
import type { DesiredState } from '../../model/desired.ts';
import type { OwnedObject } from '../../model/observation.ts';
import { formatRef, groupKindOf, type ObjectRef } from '../../model/object-ref.ts';
import type { PlannedWrite, PreparedObject } from '../../model/plan.ts';

export interface WaitContext {
  readonly objects: readonly PreparedObject[];
  /** Objects of Git that cannot be sent. */
  readonly failures: readonly Change[];
  readonly generators: DesiredState['generators'];
  readonly owned: (ref: ObjectRef) => OwnedObject | undefined;
  /** Kinds whose objects are there before they are well. */
  readonly hasHealth: (groupKind: string) => boolean;
}

/** What is already known of this pass, by key. */
export interface PassSoFar {
  readonly writes: ReadonlyMap<string, PlannedWrite>;
  readonly settled: ReadonlyMap<string, Change>;
}

export interface Wait {
  /** 'waits for Deployment/db in shop: 1 of 2 replicas are available'. */
  readonly reason: string;
  /** Keys of what it waits for. */
  readonly waitsFor: readonly string[];
}

interface Unready {
  readonly key: string;
  readonly text: string;
}

const nothingYet: PassSoFar = { writes: new Map(), settled: new Map() };
const aboutToBeApplied = 'it is yet to be applied';

/** Whether Git wants something new of the object: putting drift right never waits. */
export function isNewWish(write: PlannedWrite): boolean {
  return write.action !== 'delete' && write.drift === undefined;
}

/** Whether anything says that it depends on something. */
export function anyDepends({ objects, generators }: Pick<WaitContext, 'objects' | 'generators'>): boolean {
  return (
    objects.some(({ dependsOn }) => dependsOn.length > 0) ||
    [...generators.values()].some(({ dependsOn }) => dependsOn !== undefined)
  );
}

/**
 * Finds what keeps objects from being written, as they or their generators say: what they depend on is applied and
 * healthy first. What failed or is held is not waited for here: the one who applies says so.
 * A generator that is not there, or does not match this cluster, is nothing to wait for.
 */
export class Waits {
  readonly #context: WaitContext;
  readonly #pass: PassSoFar;
  readonly #byKey: ReadonlyMap<string, PreparedObject>;
  readonly #known = new Map<string, Wait | undefined>();
  readonly #generators = new Map<string, readonly Unready[]>();
  /** For objects that wait as their generator says, and for nothing else: one answer for all of them. */
  readonly #ofGenerator = new Map<string, Wait | undefined>();

  constructor(context: WaitContext, pass: PassSoFar = nothingYet) {
    this.#context = context;
    this.#pass = pass;
    this.#byKey = new Map(context.objects.map((object) => [object.key, object]));
  }

  /** What the object waits for; undefined when it may be written. */
  of(object: PreparedObject): Wait | undefined {
    const { dependsOn, key, origin } = object;
    if (dependsOn.length === 0) return this.#byGenerator(origin.generator);
    if (this.#known.has(key)) return this.#known.get(key);
    // Objects that wait for each other by way of their generators must not wait for this answer.
    this.#known.set(key, { reason: 'waits for what waits for it', waitsFor: [] });
    const wait = toWait([
      ...dependsOn.flatMap((needed) => this.#unreadyObject(needed)),
      ...this.#unreadyFor(origin.generator),
    ]);
    this.#known.set(key, wait);
    return wait;
  }

  #byGenerator(generator: string): Wait | undefined {
    if (!this.#ofGenerator.has(generator))
      this.#ofGenerator.set(generator, toWait(this.#unreadyFor(generator)));
    return this.#ofGenerator.get(generator);
  }

  #unreadyFor(generator: string): readonly Unready[] {
    const names = this.#context.generators.get(generator)?.dependsOn ?? [];
    return names.flatMap((name) => this.#unreadyGenerator(name));
  }

  #unreadyObject(key: string): readonly Unready[] {
    const object = this.#byKey.get(key);
    if (object === undefined) return [];
    const settled = this.#pass.settled.get(key);
    if (settled?.action === 'failed' || settled?.action === 'held') return [];
    const write = this.#pass.writes.get(key);
    // One without health is done when it is written, and that is a matter of order.
    if (write !== undefined && !this.#context.hasHealth(groupKindOf(object.ref)))
      return isNewWish(write) && this.of(object) !== undefined ? [unready(object, 'it waits itself')] : [];
    const reason = this.#reason(object);
    return reason === undefined ? [] : [unready(object, reason)];
  }

  #unreadyGenerator(name: string): readonly Unready[] {
    const known = this.#generators.get(name);
    if (known !== undefined) return known;
    const found = this.#lookAtGenerator(name);
    this.#generators.set(name, found);
    return found;
  }

  #lookAtGenerator(name: string): readonly Unready[] {
    const info = this.#context.generators.get(name);
    if (info === undefined || info.state === 'unmatched') return [];
    const prefix = `generator ${name}: `;
    if (info.state === 'failed') return [{ key: '', text: `${prefix}it could not be read whole` }];
    const failures = this.#context.failures.filter(({ origin }) => origin.generator === name);
    const objects = this.#context.objects.filter(({ origin }) => origin.generator === name);
    return [
      ...failures.map(({ ref, reason }) => ({
        key: '',
        text: `${prefix}${formatRef(ref)}: ${reason ?? 'it failed'}`,
      })),
      ...objects.flatMap((object) => {
        const reason = this.#reason(object);
        return reason === undefined ? [] : [unready(object, reason, prefix)];
      }),
    ];
  }

  /** Why an object is not applied and healthy; undefined when it is. */
  #reason(object: PreparedObject): string | undefined {
    if (this.#pass.writes.has(object.key)) return aboutToBeApplied;
    const settled = this.#pass.settled.get(object.key);
    switch (settled?.action) {
      case 'failed':
      case 'held':
      case 'pending':
        return settled.reason;
      default:
        return this.#liveReason(object, settled !== undefined);
    }
  }

  #liveReason(object: PreparedObject, isSettled: boolean): string | undefined {
    const owned = this.#context.owned(object.ref);
    if (owned === undefined) return isSettled ? undefined : aboutToBeApplied;
    if (owned.deleting) return 'it is being deleted';
    const isApplied = isSettled || object.apply === 'create-only' || owned.desiredHash === object.hash;
    if (!isApplied) return aboutToBeApplied;
    const { health } = owned;
    if (health === undefined || health.state === 'healthy') return undefined;
    return this.#context.hasHealth(groupKindOf(object.ref)) ? health.reason : undefined;
  }
}

function unready({ key, ref }: PreparedObject, reason: string, prefix = ''): Unready {
  return { key, text: `${prefix}${formatRef(ref)}: ${reason}` };
}

function toWait(unreadies: readonly Unready[]): Wait | undefined {
  const [first, ...others] = unreadies;
  if (first === undefined) return undefined;
  const more = others.length === 0 ? '' : ` (and for ${others.length} more)`;
  return { reason: `waits for ${first.text}${more}`, waitsFor: unreadies.map(({ key }) => key) };
}
