import type { ClusterStatus, FleetStatus } from '../../model/status.ts';
import { plural, shortRevision } from '../../report/text/text-context.ts';
import { type Content, html, type Html } from './html.ts';
import { age, frameAt } from './phrases.ts';

/** How a cluster stands: the worst that is true of it. `busy` passes by itself; the page colours each tone. */
export interface Standing {
  readonly tone: 'good' | 'busy' | 'warn' | 'held' | 'bad' | 'idle';
  readonly text: string;
  /** The word under which clusters are counted. */
  readonly group: string;
}

/** The verdict on a cluster of a fleet that is at `revision`. */
export function standingOf(cluster: ClusterStatus, revision: string): Standing {
  const { state, failed, held, drifted, message } = cluster;
  if (state === 'unreachable') return alike('bad', 'unreachable');
  if (state === 'unauthorized') return alike('bad', 'refuses our credentials');
  if (state === 'unknown') return alike('idle', 'not tried yet');
  if (failed > 0) return { tone: 'bad', text: `${failed} failed`, group: 'failed' };
  if (message !== undefined) return { tone: 'bad', text: 'fault', group: 'failed' };
  if (held > 0) return { tone: 'held', text: `${held} held`, group: 'held' };
  if (drifted > 0) return { tone: 'warn', text: `${drifted} drifted`, group: 'drifted' };
  if (cluster.revision !== revision) return alike('busy', 'syncing');
  return alike('good', 'in sync');
}

function alike(tone: Standing['tone'], text: string): Standing {
  return { tone, text, group: text };
}

/** From the worst to the best. */
const groups = [
  'unreachable',
  'refuses our credentials',
  'failed',
  'held',
  'drifted',
  'not tried yet',
  'syncing',
  'in sync',
];

/** '3 clusters: 1 drifted, 2 in sync' */
export function summaryText(status: FleetStatus): string {
  if (status.clusters.length === 0) return 'No cluster yet';
  return `${plural(status.clusters.length, 'cluster')}: ${groupsText(status)}`;
}

/** What fits on a tab, and the fleet: '1 failed, 5 in sync – acme' */
export function tabTitle(status: FleetStatus): string {
  return `${status.clusters.length === 0 ? 'no cluster yet' : groupsText(status)} – ${status.fleet}`;
}

function groupsText({ clusters, revision }: FleetStatus): string {
  const counts = Map.groupBy(clusters, (cluster) => standingOf(cluster, revision).group);
  const present = groups.filter((group) => counts.has(group));
  if (present.length === 1 && clusters.length > 1) return `all ${present.join('')}`;
  return present.map((group) => `${counts.get(group)?.length ?? 0} ${group}`).join(', ');
}

/** The worst tone of all: that of the tab's icon. */
export function toneOf({ clusters, revision, lastFetch }: FleetStatus): Standing['tone'] {
  const tones = new Set(clusters.map((cluster) => standingOf(cluster, revision).tone));
  if (lastFetch?.error !== undefined || tones.has('bad')) return 'bad';
  const next = (['held', 'warn', 'busy', 'good'] as const).find((tone) => tones.has(tone));
  return next ?? 'idle';
}

/** The fleet's name, where Git stands, and the summary that a screen reader is told when it changes. */
export function renderSummary(status: FleetStatus): Html {
  return html`<header class="fleet">
    <h1>${status.fleet}</h1>
    <p class="dim">${gitLine(status)}</p>
    <p class="summary" role="status">${summaryText(status)}</p>
  </header>`;
}

function gitLine(status: FleetStatus): Content {
  const { revision, lastFetch, generatedAt } = status;
  const frame = frameAt(generatedAt);
  if (lastFetch === undefined) return 'Reading the repository for the first time…';
  const fetched = html`fetched ${age(lastFetch.at, frame)}`;
  if (lastFetch.error !== undefined) {
    const meanwhile =
      revision === '' ? 'No revision is known yet.' : 'The last good revision stays in force.';
    return html`${atRevision(revision)}<span class="bad"
        >Git could not be read ${age(lastFetch.at, frame)}.</span
      >
      ${meanwhile}`;
  }
  if (revision === '') return html`The repository has no commit yet, ${fetched}`;
  return html`${atRevision(revision)}${fetched}`;
}

function atRevision(revision: string): Content {
  if (revision === '') return '';
  return html`at <code title="${revision}">${shortRevision(revision)}</code>, `;
}
