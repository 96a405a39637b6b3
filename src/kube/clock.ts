/** Time, as something that tests can hold in their hands. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after the delay; rejects with the signal's reason when it is aborted first. */
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (delayMs, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const onAbort = (): void => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      }, delayMs);
      signal.addEventListener('abort', onAbort, { once: true });
    }),
};
