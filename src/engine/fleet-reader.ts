import type { ChangeReport, DriftReport } from '../model/report.ts';
import type { FleetStatus } from '../model/status.ts';
import type { StateStore } from '../store/state-store.ts';
import type { FleetEngine } from './fleet-engine.ts';
import { viewDriftReport, viewStatus, viewSyncReport } from './fleet-view.ts';

/** All that a server may know of the engine: what it can be asked, and nothing that changes anything. */
export interface FleetReader {
  status(): FleetStatus;
  /** What the last sync of each cluster did. */
  sync(): ChangeReport;
  /** How the clusters differ from Git, and what was put right within the last day. */
  drift(): DriftReport;
  /** Called after anything that the above tell may have changed; must not throw. @returns a function that ends it. */
  onUpdate(listener: () => void): () => void;
}

/** Reads a running engine. */
export function fleetReader(engine: Pick<FleetEngine, 'view' | 'onUpdate'>, store: StateStore): FleetReader {
  return {
    status: () => viewStatus(engine.view(), store),
    sync: () => viewSyncReport(engine.view(), store),
    drift: () => viewDriftReport(engine.view(), store),
    onUpdate: (listener) => engine.onUpdate(listener),
  };
}
