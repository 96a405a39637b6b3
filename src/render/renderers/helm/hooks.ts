import { type JsonObject, stringAt } from '../../../model/json.ts';
import type { HelmOptions } from '../renderer.ts';

type HookPolicy = HelmOptions['hooks'];

/** What helm runs while it installs or upgrades; the others run when it deletes, rolls back or tests. */
const installEvents: ReadonlySet<string> = new Set([
  'pre-install',
  'post-install',
  'pre-upgrade',
  'post-upgrade',
]);

/** The events of a hook; none for an ordinary object. */
export function hookEventsOf(manifest: JsonObject): string[] {
  const events = stringAt(manifest, 'metadata', 'annotations', 'helm.sh/hook') ?? '';
  return events
    .split(',')
    .map((event) => event.trim())
    .filter((event) => event !== '');
}

/** Whether a hook becomes an object like any other. One that tests never does, nor one for deleting or rolling back alone. */
export function appliesHook(events: readonly string[], policy: HookPolicy): boolean {
  if (policy === 'skip' || events.some((event) => event.startsWith('test'))) return false;
  return events.some((event) => installEvents.has(event));
}
