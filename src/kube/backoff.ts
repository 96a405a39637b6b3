export interface BackoffOptions {
  readonly baseMs: number;
  readonly capMs: number;
  /** A number from 0 up to 1, as Math.random gives. */
  readonly random: () => number;
}

/**
 * How long to wait after the given number of failures (from 0): anything up to a ceiling that doubles each time.
 * The full range is random on purpose: thousands of clients that lost one server must not come back in step.
 */
export function backoffMs(failures: number, options: BackoffOptions): number {
  return options.random() * Math.min(options.capMs, options.baseMs * 2 ** failures);
}
