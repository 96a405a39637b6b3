import type { SignalName } from './environment.ts';

/** The reason with which a command's signal is aborted. */
export class Interrupted extends Error {
  /** As shells report a process that a signal ended: 130 or 143. */
  readonly status: number;

  constructor(name: SignalName) {
    super(`Interrupted by ${name}.`);
    this.name = 'Interrupted';
    this.status = name === 'SIGINT' ? 130 : 143;
  }
}
