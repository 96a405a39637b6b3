import { type OnceReports, runOnce, type RunOnceOptions } from '../../engine/run-once.ts';
import { systemClock } from '../../kube/clock.ts';
import { openStateStore } from '../../store/state-store.ts';
import type { ActionContext, RevisionChoice, ScopedRequest } from '../actions.ts';
import { openRenderers } from './open-renderers.ts';
import { openSource } from './open-source.ts';

interface Look {
  readonly mode: RunOnceOptions['mode'];
  readonly revision: RevisionChoice;
  readonly waitMs?: number;
}

/** One pass over the fleet, with everything that it opens closed again. Only a sync may write to the state folder. */
export async function lookOnce(
  { settings, scope }: ScopedRequest,
  { mode, revision, waitMs = 0 }: Look,
  { environment, signal, onProgress, log }: ActionContext,
): Promise<OnceReports> {
  const source = openSource(settings, revision, environment);
  const { renderers, close } = openRenderers(settings, environment);
  const store = openStateStore(settings.stateDir, {
    readOnly: mode !== 'sync',
    onSetAside: (file) => {
      log.warn('the state file could not be read and was set aside', { file });
    },
  });
  try {
    return await runOnce({
      settings,
      source,
      store,
      renderers,
      clock: systemClock,
      random: Math.random,
      signal,
      onProgress,
      mode,
      waitMs,
      ...scope,
    });
  } finally {
    await source.close();
    store.close();
    await close();
  }
}
