import type { Drift } from '../model/change.ts';
import { formatRef } from '../model/object-ref.ts';
import type { ClusterReport } from '../model/report.ts';
import { logClusterSync } from '../telemetry/log-cluster-sync.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { SyncOutcome } from './sync-cluster.ts';

/** Logs how the syncs of one cluster end. Every sync tells all that is wrong; the log tells each fault once. */
export class OutcomeLog {
  readonly #logger: Logger;
  #told: ReadonlySet<string> = new Set();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  write(outcome: SyncOutcome, report: ClusterReport, options: { readonly durationMs: number }): void {
    const cluster = report.name;
    logClusterSync(this.#logger, report, options);
    const told = new Set<string>();
    for (const change of outcome.changes) {
      if (change.action !== 'failed') continue;
      const failure = `${formatRef(change.ref)}: ${change.error.describe()}`;
      told.add(failure);
      if (!this.#told.has(failure)) this.#logger.error('object failed', { error: change.error });
    }
    for (const warning of outcome.warnings) {
      told.add(warning);
      if (!this.#told.has(warning)) this.#logger.warn(warning, { cluster });
    }
    this.#told = told;
    for (const drift of outcome.drifts) {
      if (drift.action !== 'corrected') continue;
      const { kind, ref } = drift;
      this.#logger.info('corrected drift', {
        cluster,
        drift: kind,
        object: formatRef(ref),
        ...writersOf(drift),
      });
    }
  }
}

/** 'kubectl-edit (jane)': the raw names, each once. */
function writersOf({ fields, changedBy = [] }: Drift): { by?: string } {
  const managers = [...changedBy, ...fields.flatMap((field) => field.changedBy)];
  const names = managers.map(({ manager, user }) => (user === undefined ? manager : `${manager} (${user})`));
  return names.length === 0 ? {} : { by: [...new Set(names)].join(', ') };
}
