import type { FleetSettings } from '../model/settings.ts';
import type { OfflineRequest, RevisionChoice, Scope } from './actions.ts';
import { loadSettings, loadSettingsIfThere, type LoadedSettings } from './load-settings.ts';
import type { ActionRun } from './shell.ts';

/** The settings that a command's --config names, with their warnings logged. @throws UsageError */
export async function loadFleet(run: ActionRun): Promise<FleetSettings> {
  const loaded = await loadSettings(run.globals.config, run.context.environment, run.context.signal);
  return withWarnings(run, loaded);
}

/** The request of a command that speaks to no cluster: a working copy can be read without any settings. */
export async function loadOffline(
  run: ActionRun,
  { scope, revision }: { readonly scope: Scope; readonly revision: RevisionChoice },
): Promise<OfflineRequest> {
  const { environment, signal } = run.context;
  if (revision.kind !== 'workingCopy') return { settings: await loadFleet(run), scope, revision };
  const loaded = await loadSettingsIfThere(run.globals.config, environment, signal);
  if (loaded === undefined) return { settings: undefined, scope, revision };
  return { settings: withWarnings(run, loaded), scope, revision };
}

function withWarnings(run: ActionRun, { settings, warnings }: LoadedSettings): FleetSettings {
  for (const warning of warnings) run.context.log.warn(warning);
  return settings;
}
