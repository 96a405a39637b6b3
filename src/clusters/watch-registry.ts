import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';

import type { FleetSettings } from '../model/settings.ts';
import { fingerprintOf } from './registry-fingerprint.ts';

export interface WatchTimes {
  /** How long it must be quiet after an event before the files are looked at. */
  readonly settleMs: number;
  /** How often they are looked at without an event: some file systems send none. */
  readonly checkMs: number;
}

const defaultTimes: WatchTimes = { settleMs: 200, checkMs: 30_000 };

/**
 * Calls `onChange` after the registry's files changed, until the signal is aborted. Folders are watched rather than
 * files, so that a file that is replaced by renaming is followed; what tells a change is the files' stamps, so an
 * event about something else in the folder calls nobody. Resolves once every later change will be seen.
 */
export async function watchRegistry(
  settings: FleetSettings,
  onChange: () => void,
  { signal, times = defaultTimes }: { readonly signal: AbortSignal; readonly times?: WatchTimes },
): Promise<void> {
  const folders = [
    ...new Set(
      settings.clusters.map((source) => (source.kind === 'kubeconfig' ? dirname(source.path) : source.path)),
    ),
  ];
  const watchers = new Map<string, FSWatcher>();
  let last = '';
  let timer: NodeJS.Timeout | undefined;

  const schedule = (delayMs: number): void => {
    clearTimeout(timer);
    if (signal.aborted) return;
    timer = setTimeout(() => void look(), delayMs);
    timer.unref();
  };

  const look = async (): Promise<void> => {
    for (const folder of folders) if (!watchers.has(folder)) open(folder);
    const now = await fingerprintOf(settings.clusters);
    if (signal.aborted) return;
    const changed = now !== last;
    last = now;
    schedule(times.checkMs);
    if (changed) onChange();
  };

  const open = (folder: string): void => {
    try {
      const watcher = watch(folder, { persistent: false });
      // After a rename the folder itself may be another one: it is watched anew at the next look.
      watcher.on('change', (event) => {
        if (event === 'rename') close(folder);
        schedule(times.settleMs);
      });
      watcher.on('error', () => {
        close(folder);
      });
      watchers.set(folder, watcher);
    } catch {
      // The folder does not exist yet; the next look tries again.
    }
  };

  const close = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };

  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    for (const folder of folders) close(folder);
  });
  for (const folder of folders) open(folder);
  last = await fingerprintOf(settings.clusters);
  schedule(times.checkMs);
}
