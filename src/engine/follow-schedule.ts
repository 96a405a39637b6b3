import { schedule } from 'node-cron';

/** Calls back whenever a cron expression says so, until the signal is aborted. */
export function followSchedule(
  expression: string,
  onTime: () => void,
  { signal }: { readonly signal: AbortSignal },
): void {
  const task = schedule(expression, onTime, { suppressMissedWarning: true, unref: true });
  signal.addEventListener('abort', () => void task.destroy(), { once: true });
}
