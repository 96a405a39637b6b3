import { FleetError } from '../model/fleet-error.ts';

/** Something that the embedded Git cannot do and the git on PATH can; with `backend: auto` that one takes over. */
export class NeedsNativeGit extends FleetError {
  constructor(message: string) {
    super('GitUnavailable', message);
  }
}
