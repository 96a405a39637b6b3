import { FleetEngine } from '../../engine/fleet-engine.ts';
import { fleetReader } from '../../engine/fleet-reader.ts';
import { openGitSource } from '../../git/open-git-source.ts';
import { systemClock } from '../../kube/clock.ts';
import type { FleetSettings } from '../../model/settings.ts';
import { openStateStore, type StateStore } from '../../store/state-store.ts';
import { startServer } from '../../server/start-server.ts';
import type { ActionContext, RunRequest } from '../actions.ts';
import { openRenderers } from './open-renderers.ts';

/** A running engine with its server, and how to end both. */
export interface RunningFleet {
  readonly engine: FleetEngine;
  readonly store: StateStore;
  /** 'http://127.0.0.1:8080' */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the engine and its HTTP server. @throws FleetError ConfigInvalid when the port is taken. */
export async function startFleet(
  { settings, settingsPath }: { readonly settings: FleetSettings; readonly settingsPath: string | undefined },
  { environment, log, onProgress }: ActionContext,
): Promise<RunningFleet> {
  const store = openStateStore(settings.stateDir, {
    onSetAside: (file) => {
      log.warn('the state file could not be read and was set aside', { file });
    },
  });
  const source = openGitSource(settings.source, {
    stateDir: settings.stateDir,
    environment: environment.env,
  });
  const { renderers, close } = openRenderers(settings, environment);
  const engine = new FleetEngine({
    settings,
    source,
    store,
    renderers,
    clock: systemClock,
    random: Math.random,
    logger: log,
    onProgress,
  });
  const stop = async (): Promise<void> => {
    await engine.stop();
    store.close();
    await close();
  };
  try {
    const server = await startServer({
      fleet: fleetReader(engine, store),
      listen: settings.server,
      logger: log,
      settingsPath,
    });
    engine.start();
    return { engine, store, url: server.url, stop: () => server.close().then(stop) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Runs until the signal is aborted. */
export async function runEngine(
  { settings, settingsPath }: RunRequest,
  context: ActionContext,
): Promise<void> {
  const { signal, log } = context;
  const fleet = await startFleet({ settings, settingsPath }, context);
  log.info('following Git', { fleet: settings.name, server: fleet.url });
  try {
    await aborted(signal);
  } finally {
    log.info('stopping');
    await fleet.stop();
  }
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener(
      'abort',
      () => {
        resolve();
      },
      { once: true },
    );
  });
}
