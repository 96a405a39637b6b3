import type { Drift, DriftKind } from '../../model/change.ts';
import type { FieldDifference } from '../../model/field.ts';
import { compareText, refKey } from '../../model/object-ref.ts';
import type { ClusterDriftReport, DriftReport } from '../../model/report.ts';
import { formatPair } from '../../report/format-value.ts';
import { differs, driftEntries, type DriftEntry, isOurLabel } from '../../report/drift-entries.ts';
import type { TimeFrame } from '../../report/format-time.ts';
import { driftSummaryText } from '../../report/text/drift-text.ts';
import { isOpen } from '../../report/summarise.ts';
import { plural } from '../../report/text/text-context.ts';
import { type Content, html, type Html, when } from './html.ts';
import { shown } from './page-data.ts';
import { age, changedBy, clock, frameAt, objectName, place } from './phrases.ts';

/** Signs say how the cluster stands to Git, as in `fleetwright drift`: it has less, more, or other than Git wants. */
const signs: Readonly<Record<DriftKind, { sign: string; words: string }>> = {
  changed: { sign: '~', words: 'changed' },
  missing: { sign: '−', words: 'missing' },
  extra: { sign: '+', words: 'not in Git' },
  unlabelled: { sign: '!', words: 'our label was removed' },
  conflict: { sign: '!', words: 'conflict' },
};
const valueLength = 120;

/** What departs from Git, and what was put right within the last day, by cluster; in each the latest first. */
export function renderDrift(report: DriftReport): Html {
  const drifted = report.clusters.filter((cluster) => cluster.objects.length > 0);
  return html`<section aria-labelledby="drift">
    <h2 id="drift">Drift of the last day</h2>
    ${drifted.length === 0 ? emptyDrift(report) : driftList(report, drifted)}
  </section>`;
}

function driftList(report: DriftReport, drifted: readonly ClusterDriftReport[]): Content {
  const clusters = [...drifted].sort(
    (a, b) => Number(b.objects.some(isOpen)) - Number(a.objects.some(isOpen)) || compareText(a.name, b.name),
  );
  const kept = clusters.slice(0, shown.driftedClusters);
  const left = clusters.length - kept.length;
  const options = {
    frame: frameAt(report.metadata.generatedAt),
    limit: Math.floor(shown.objects / kept.length),
  };
  return [
    html`<p class="dim">${driftSummaryText(report)}</p>`,
    kept.map((cluster) => clusterDrift(cluster, options)),
    when(
      left > 0,
      () => html`<p class="dim">And ${plural(left, 'cluster')} more: <code>fleetwright drift</code></p>`,
    ),
  ];
}

function emptyDrift({ clusters, metadata }: DriftReport): Html {
  if (metadata.revision === '' || clusters.length === 0) {
    return html`<p class="empty">Nothing to compare yet: no cluster was looked at.</p>`;
  }
  return html`<p class="empty">
    None. Nobody changed what Git describes, in any cluster that answers. When somebody does, it is shown
    here: which field, from what to what, by whom and when.
  </p>`;
}

interface DriftOptions {
  readonly frame: TimeFrame;
  readonly limit: number;
}

function clusterDrift(cluster: ClusterDriftReport, { frame, limit }: DriftOptions): Html {
  const latestFirst = driftEntries(cluster.objects).sort(
    ({ drift: a }, { drift: b }) =>
      Number(isOpen(b)) - Number(isOpen(a)) || compareText(timeOf(b), timeOf(a)),
  );
  const open = latestFirst.filter(({ drift }) => isOpen(drift)).length;
  const isAllCorrected = latestFirst.every(({ drift }) => !differs(drift));
  const left = latestFirst.length - limit;
  return html`<article class="card" data-key="${cluster.name}">
    <h3>
      ${cluster.name}
      <span class="chip ${open > 0 ? 'warn' : 'good'}">
        ${open > 0 ? `${plural(open, 'object')} drifted` : isAllCorrected ? 'all corrected' : 'nothing to correct'}
      </span>
    </h3>
    <ol class="plain">
      ${latestFirst.slice(0, limit).map((entry) => driftItem(entry, frame))}
    </ol>
    ${when(
      left > 0,
      () =>
        html`<p class="dim">And ${left} more: <code>fleetwright drift --cluster ${cluster.name}</code></p>`,
    )}
  </article>`;
}

function timeOf(drift: Drift): string {
  return drift.correctedAt ?? drift.detectedAt;
}

function driftItem(entry: DriftEntry, frame: TimeFrame): Html {
  const { drift } = entry;
  const { sign, words } = signs[drift.kind];
  const left = drift.fields.length - shown.fields;
  const isSaidBelow = drift.kind === 'changed' || drift.fields.some((field) => isOurLabel(field, drift));
  return html`<li class="drift" data-key="${refKey(drift.ref)} ${drift.detectedAt}">
    <div class="head">
      <span class="sign ${drift.kind}" title="${words}" aria-hidden="true">${sign}</span>
      ${objectName(drift.ref)} ${place(drift.origin)}
      <span class="outcome">
        ${isSaidBelow ? '' : html`${words}, `}${outcome(entry, frame)}${
          drift.reason === undefined ? '' : `: ${drift.reason}`
        }
      </span>
    </div>
    ${when(
      (drift.changedBy?.length ?? 0) > 0,
      () => html`<p class="dim">deleted by ${changedBy(drift.changedBy ?? [], frame)}</p>`,
    )}
    ${when(
      drift.fields.length > 0,
      () =>
        html`<ul class="plain fields">
          ${drift.fields.slice(0, shown.fields).map((field) => (isOurLabel(field, drift) ? labelItem(field, frame) : fieldItem(field, frame)))}
          ${when(left > 0, () => html`<li class="dim">and ${plural(left, 'field')} more</li>`)}
        </ul>`,
    )}
  </li>`;
}

function outcome({ drift, corrections }: DriftEntry, frame: TimeFrame): Content {
  const seen = drift.detectedAt;
  switch (drift.action) {
    case 'corrected': {
      const at = timeOf(drift);
      return html`<span class="good">corrected</span>${corrections > 1 ? ` ${corrections}×, last` : ''}
        ${clock(at, frame)} (${age(at, frame)})`;
    }
    case 'reported':
      return html`<span class="warn">left as it is</span> since ${clock(seen, frame)} (${age(seen, frame)})`;
    case 'ignored':
      return 'ignored';
    case 'pending':
      return html`<span class="warn">to be corrected</span>, seen ${clock(seen, frame)} (${age(seen, frame)})`;
  }
}

function labelItem(field: FieldDifference, frame: TimeFrame): Html {
  return html`<li>
    ${signs.unlabelled.words} <span class="dim">${changedBy(field.changedBy, frame)}</span>
  </li>`;
}

function fieldItem(field: FieldDifference, frame: TimeFrame): Html {
  const [desired, live] = formatPair(field.desired, field.live, valueLength);
  const inGit = desired === undefined ? 'not in Git' : html`<code class="good">${desired}</code> in Git`;
  const inCluster =
    live === undefined ? 'not in the cluster' : html`<code class="bad">${live}</code> in the cluster`;
  return html`<li>
    <code class="path">${field.path}</code>
    <span>${inGit}, ${inCluster}</span>
    <span class="dim">${changedBy(field.changedBy, frame)}</span>
  </li>`;
}
