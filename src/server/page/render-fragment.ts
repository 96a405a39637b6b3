import { renderClusters } from './clusters-section.ts';
import { renderDrift } from './drift-section.ts';
import { renderFaults } from './faults-section.ts';
import { renderHeld } from './held-section.ts';
import { html, type Html } from './html.ts';
import type { PageData } from './page-data.ts';
import { clock, frameAt } from './phrases.ts';
import { renderSummary, tabTitle, toneOf } from './summary.ts';

/** `title` is that of the browser's tab. */
export interface Fragment {
  readonly title: string;
  readonly body: Html;
}

/** All of the page that changes. What asks something of a person stands above what is only to be known. Pure. */
export function renderFragment({ status, sync, drift, settingsPath }: PageData): Fragment {
  const { generatedAt } = status;
  const title = tabTitle(status);
  const body = html`<div
    id="fleet"
    data-now="${generatedAt}"
    data-tone="${toneOf(status)}"
    data-title="${title}"
  >
    ${renderSummary(status)} ${renderClusters(status)} ${renderHeld(sync, settingsPath)} ${renderFaults(sync)}
    ${renderDrift(drift)}
    <footer class="dim">
      State of ${clock(generatedAt, frameAt(generatedAt))}. Times are in <span id="zone">UTC</span>. As data:
      <a href="api/v1/status">status</a>, <a href="api/v1/sync">sync</a>, <a href="api/v1/drift">drift</a>.
    </footer>
  </div>`;
  return { title, body };
}
