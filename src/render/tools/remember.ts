import { FleetError } from '../../model/fleet-error.ts';

/** Something that takes a while to find out. */
export type Finding<T> = (signal: AbortSignal) => Promise<T>;

/**
 * The same finding, made once within `forMs` milliseconds for all who ask. That something is missing is remembered like
 * any other answer; that a caller gave up is not, and the others who waited for it ask anew.
 */
export function remember<T>(forMs: number, find: Finding<T>): Finding<T> {
  let known: { readonly promise: Promise<T>; readonly atMs: number } | undefined;
  return async function ask(signal): Promise<T> {
    signal.throwIfAborted();
    if (known === undefined || performance.now() - known.atMs > forMs) {
      known = { promise: find(signal), atMs: performance.now() };
    }
    const mine = known;
    try {
      return await mine.promise;
    } catch (error) {
      if (error instanceof FleetError) throw error;
      if (known === mine) known = undefined;
      signal.throwIfAborted();
      // Whoever asked first gave up, not we. With a fault of the machine the next try throws for us.
      return await find(signal);
    }
  };
}
