import type { Actions } from './actions.ts';
import { approveHold } from './actions/approve-hold.ts';
import { importFiles } from './actions/import-files.ts';
import { lookOnce } from './actions/look-once.ts';
import { renderManifests } from './actions/render-manifests.ts';
import { runDemo } from './actions/run-demo.ts';
import { runEngine } from './actions/run-engine.ts';
import { showStatus } from './actions/show-status.ts';
import { validateFiles } from './actions/validate-files.ts';

/** The actions on a real engine. */
export function createActions(): Actions {
  return {
    demo: runDemo,
    run: runEngine,
    sync: async (request, context) =>
      (
        await lookOnce(
          request,
          { mode: 'sync', revision: { kind: 'settings' }, waitMs: request.waitMs },
          context,
        )
      ).changes,
    plan: async (request, context) =>
      (await lookOnce(request, { mode: 'plan', revision: request.revision }, context)).changes,
    drift: async (request, context) =>
      (await lookOnce(request, { mode: 'drift', revision: { kind: 'settings' } }, context)).drift,
    render: renderManifests,
    validate: validateFiles,
    status: showStatus,
    approve: approveHold,
    import: importFiles,
  };
}
