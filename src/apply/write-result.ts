import type { FleetError } from '../model/fleet-error.ts';
import type { JsonObject } from '../model/json.ts';
import type { PlannedWrite } from '../model/plan.ts';

/** What became of one planned write. */
export type WriteResult =
  | {
      readonly outcome: 'applied';
      readonly write: Extract<PlannedWrite, { action: 'create' | 'configure' }>;
      /** The object as the server answered it: its managedFields are the new baseline. */
      readonly object: JsonObject;
      readonly warnings: readonly string[];
    }
  | {
      readonly outcome: 'deleted';
      readonly write: Extract<PlannedWrite, { action: 'delete' }>;
      /**
       * deleting: something holds it for a while; gone: somebody else had deleted it;
       * replaced: another object of that name lives now and was left alone;
       * orphaned: it stays as it is, and is no longer ours.
       */
      readonly how: 'deleted' | 'deleting' | 'gone' | 'replaced' | 'orphaned';
    }
  | { readonly outcome: 'failed'; readonly write: PlannedWrite; readonly error: FleetError };
