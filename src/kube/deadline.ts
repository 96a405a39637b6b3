import { FleetError } from '../model/fleet-error.ts';

/**
 * Runs work with a signal that aborts when the caller's does or when the time is up, whichever is first.
 * An abort rejects with its own reason: the caller's, or FleetError DeadlineExceeded; unless the work throws a
 * FleetError that tells more.
 */
export async function withDeadline<T>(
  signal: AbortSignal,
  deadlineMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  // AbortSignal.any and AbortSignal.timeout do the same at several times the cost, on the path of every request.
  const controller = new AbortController();
  const onAbort = (): void => {
    controller.abort(signal.reason);
  };
  const onTimeout = (): void => {
    controller.abort(new FleetError('DeadlineExceeded', `no answer within ${deadlineMs / 1_000} s`));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(onTimeout, deadlineMs);
  try {
    return await work(controller.signal);
  } catch (error) {
    // What the work makes of the abort itself says nothing; what it threw on purpose does.
    if (!(error instanceof FleetError)) controller.signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
