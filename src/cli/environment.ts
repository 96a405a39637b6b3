/** Where text goes. Writing never throws: a reader that went away (`fleetwright plan | head`) is no fault. */
export interface Output {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Columns of the terminal; undefined when it is none. */
  readonly columns: number | undefined;
}

export type SignalName = 'SIGINT' | 'SIGTERM';

/** Everything of the process that commands may see, so that tests can stand in for it. */
export interface Environment {
  readonly cwd: string;
  readonly homeDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** All that is piped in. */
  readStdin(signal: AbortSignal): Promise<Uint8Array>;
  /** An IANA name: times are shown as the clock on the reader's wall. */
  readonly timeZone: string;
  now(): Date;
  /** Calls back at each signal until the function that it returns is called. */
  onSignal(handle: (name: SignalName) => void): () => void;
  /** Ends the process at once, with nothing tidied up. */
  exitNow(status: number): void;
}

/** Whether text to this output carries colours. Source: no-color.org; a terminal named 'dumb' has none either. */
export function usesColor(environment: Environment, output: Output, wanted: boolean): boolean {
  const { NO_COLOR, TERM } = environment.env;
  return wanted && output.isTerminal && (NO_COLOR ?? '') === '' && TERM !== 'dumb';
}
