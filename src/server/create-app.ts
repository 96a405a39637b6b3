import { Hono } from 'hono';

import { type FleetEngine } from '../engine/fleet-engine.ts';
import { viewDriftReport, viewStatus, viewSyncReport } from '../engine/fleet-view.ts';
import { toJson } from '../report/to-json.ts';
import { type StateStore } from '../store/state-store.ts';

export interface FleetSource {
  readonly engine: Pick<FleetEngine, 'view' | 'onUpdate'>;
  readonly store: StateStore;
}

/** What `fleetwright run` serves: health for a kubelet, and what the engine knows as JSON. It changes nothing. */
export function createApp({ engine, store }: FleetSource): Hono {
  const app = new Hono();
  app.get('/healthz', (context) => context.text('ok'));
  app.get('/readyz', (context) => {
    const isReady = engine.view().revision !== '';
    return context.text(isReady ? 'ok' : 'no revision was read yet', isReady ? 200 : 503);
  });
  app.get('/api/v1/status', (context) => context.json(viewStatus(engine.view(), store)));
  app.get('/api/v1/sync', (context) => context.json(toJson(viewSyncReport(engine.view(), store))));
  app.get('/api/v1/drift', (context) => context.json(toJson(viewDriftReport(engine.view(), store))));
  return app;
}
