import { FleetError } from '../model/fleet-error.ts';
import type { GitBackend } from '../model/settings.ts';
import type { GitLocation } from './remote/git-url.ts';

/** Which Git follows a source; 'either' is the embedded one until it meets what only the native one can do. */
export type BackendChoice = 'embedded' | 'native' | 'either';

/**
 * The embedded Git needs nothing installed and so goes first wherever it speaks the protocol.
 * @throws FleetError ConfigInvalid when the embedded one is asked for and does not.
 */
export function chooseBackend(wanted: GitBackend, location: GitLocation): BackendChoice {
  const isSpoken = location.kind === 'http' || location.kind === 'local';
  switch (wanted) {
    case 'native':
      return 'native';
    case 'auto':
      return isSpoken ? 'either' : 'native';
    case 'embedded':
      if (isSpoken) return 'embedded';
      throw new FleetError(
        'ConfigInvalid',
        `the embedded Git does not speak ${location.kind} (${location.shown}): set source.backend to auto or native, ` +
          "which need git on PATH, or use the repository's https:// address",
      );
  }
}
