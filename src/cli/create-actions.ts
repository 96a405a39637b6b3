import { FleetError } from '../model/fleet-error.ts';
import { type Actions } from './actions.ts';

/** The actions on a real engine. */
export function createActions(): Actions {
  const missing = (): Promise<never> =>
    Promise.reject(new FleetError('Internal', 'this command is not connected yet'));
  return {
    demo: missing,
    run: missing,
    sync: missing,
    plan: missing,
    drift: missing,
    render: missing,
    validate: missing,
    status: missing,
    approve: missing,
  };
}
