import { compareText } from '../../model/object-ref.ts';
import type { ClusterStatus, FleetStatus } from '../../model/status.ts';
import { unwellText } from '../../report/health-text.ts';
import { plural, shortRevision } from '../../report/text/text-context.ts';
import { type Content, html, type Html, when } from './html.ts';
import { shown } from './page-data.ts';
import { age, frameAt } from './phrases.ts';
import { standingOf } from './summary.ts';

/** Every cluster on a row: first those that need a person, then by name. */
export function renderClusters(status: FleetStatus): Html {
  return html`<section aria-labelledby="clusters">
    <h2 id="clusters">Clusters</h2>
    ${status.clusters.length === 0 ? emptyClusters(status) : clusterTable(status)}
  </section>`;
}

function emptyClusters({ lastFetch }: FleetStatus): Html {
  if (lastFetch === undefined) return html`<p class="empty">The clusters are being read…</p>`;
  return html`<p class="empty">
    No cluster is registered. Name a kubeconfig or a folder of Cluster files under
    <code>spec.clusters</code> of the settings; each cluster appears here as soon as it is found.
  </p>`;
}

// The roles say again what the elements say, for browsers that forget it where CSS lays a table out as cards.
function clusterTable(status: FleetStatus): Html {
  const clusters = [...status.clusters].sort(
    (a, b) => Number(needsPerson(b)) - Number(needsPerson(a)) || compareText(a.name, b.name),
  );
  const left = clusters.length - shown.clusters;
  return html`<table role="table" class="clusters" aria-labelledby="clusters">
      <thead role="rowgroup">
        <tr role="row">
          ${[
            ...['Cluster', 'State'].map((title) => heading(title, '')),
            ...['Objects', 'Drifted', 'Held', 'Failed'].map((title) => heading(title, 'number')),
            heading('Revision', ''),
          ]}
        </tr>
      </thead>
      ${clusters.slice(0, shown.clusters).map((cluster) => clusterRows(cluster, status))}
    </table>
    ${when(left > 0, () => html`<p class="dim">And ${plural(left, 'cluster')} more: <code>fleetwright status</code></p>`)}`;
}

function heading(title: string, kind: string): Html {
  return html`<th role="columnheader" scope="col" class="${kind}">${title}</th>`;
}

/** Drift is not among it: most of it is put right before a person could look. */
function needsPerson({ state, held, failed, health, message }: ClusterStatus): boolean {
  const isAway = state === 'unreachable' || state === 'unauthorized';
  const isDegraded = health !== undefined && health.counts.degraded > 0;
  return isAway || isDegraded || held > 0 || failed > 0 || message !== undefined;
}

function clusterRows(cluster: ClusterStatus, status: FleetStatus): Html {
  const { name, message, health } = cluster;
  const unwell = health?.unwell.slice(0, shown.unwell) ?? [];
  const { tone, text } = standingOf(cluster, status.revision);
  return html`<tbody role="rowgroup" data-key="${name}">
    <tr role="row" class="${message === undefined && unwell.length === 0 ? 'whole' : 'first'}">
      <th role="rowheader" scope="row"><b>${name}</b>${labelList(cluster)}</th>
      <td role="cell" class="state"><span class="chip ${tone}">${text}</span> ${contact(cluster, status)}</td>
      ${count('Objects', cluster.objects, '')} ${count('Drifted', cluster.drifted, 'warn')}
      ${count('Held', cluster.held, 'held')} ${count('Failed', cluster.failed, 'bad')}
      <td role="cell" data-label="Revision">${revisionOf(cluster, status)}</td>
    </tr>
    ${when(
      message !== undefined,
      () =>
        html`<tr role="row" class="note">
          <td role="cell" colspan="7">${message ?? ''}</td>
        </tr>`,
    )}
    ${when(
      unwell.length > 0,
      () =>
        html`<tr role="row" class="note">
          <td role="cell" colspan="7">
            <ul aria-label="Not healthy">
              ${unwell.map((object) => html`<li class="${unwellTone[object.state]}">${unwellText(object)}</li>`)}
            </ul>
          </td>
        </tr>`,
    )}
  </tbody>`;
}

const unwellTone = { degraded: 'bad', progressing: 'warn', suspended: 'dim' } as const;

function labelList({ labels }: ClusterStatus): Content {
  const entries = Object.entries(labels).sort(([a], [b]) => compareText(a, b));
  if (entries.length === 0) return '';
  return html`<ul class="labels" aria-label="Labels">
    ${entries.map(([key, value]) => html`<li>${key}=${value}</li>`)}
  </ul>`;
}

function contact({ state, lastSeenAt }: ClusterStatus, { generatedAt }: FleetStatus): Content {
  if (lastSeenAt === undefined) return state === 'unknown' ? '' : html`<span class="dim">never seen</span>`;
  const words = state === 'reachable' ? 'seen' : 'last seen';
  return html`<span class="dim">${words} ${age(lastSeenAt, frameAt(generatedAt))}</span>`;
}

function count(label: string, value: number, tone: string): Html {
  return html`<td role="cell" class="number ${value === 0 ? 'none' : tone}" data-label="${label}">
    ${value}
  </td>`;
}

function revisionOf(cluster: ClusterStatus, status: FleetStatus): Html {
  const { revision } = cluster;
  if (revision === undefined || revision === '') return html`<span class="none">none yet</span>`;
  const note = revision === status.revision ? '' : html` <span class="warn">older</span>`;
  return html`<code title="${revision}">${shortRevision(revision)}</code>${note}`;
}
