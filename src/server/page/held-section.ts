import type { Change } from '../../model/change.ts';
import type { ChangeReport } from '../../model/report.ts';
import { approveCommand } from '../../report/approve-command.ts';
import { plural } from '../../report/text/text-context.ts';
import { type Content, html, type Html, when } from './html.ts';
import { shown } from './page-data.ts';
import { objectName, place } from './phrases.ts';

type Held = Extract<Change, { action: 'held' }>;

interface Hold {
  readonly cluster: string;
  readonly id: string;
  readonly command: string;
  readonly members: readonly Held[];
}

/** What waits for an approval, with the command that gives it; nothing where nothing is held. */
export function renderHeld(sync: ChangeReport, settingsPath: string | undefined): Content {
  const holds = sync.clusters.flatMap(({ name, changes }) => {
    const held = changes.filter((change) => change.action === 'held');
    const byId = Map.groupBy(held, (change) => change.holdId);
    return [...byId].map(([id, members]): Hold => {
      return { cluster: name, id, command: approveCommand(id, settingsPath), members };
    });
  });
  if (holds.length === 0) return '';
  const left = holds.length - shown.holds;
  return html`<section aria-labelledby="held">
    <h2 id="held">Held until approved</h2>
    ${holds.slice(0, shown.holds).map(holdItem)}
    ${when(left > 0, () => html`<p class="dim">And ${left} more: <code>fleetwright plan</code></p>`)}
  </section>`;
}

function holdItem({ cluster, id, command, members }: Hold): Html {
  const reasons = [...new Set(members.map((change) => change.reason))];
  return html`<article class="card held-card" data-key="${cluster} ${id}">
    <h3>${cluster} <span class="chip held">${plural(members.length, 'change')} held</span></h3>
    ${reasons.map((reason) => html`<p class="message">${reason}</p>`)}
    <p class="command">
      <code>${command}</code>
      <button type="button" class="copy" data-copy="${command}" aria-label="Copy: ${command}">Copy</button>
    </p>
    ${memberList(members)}
  </article>`;
}

function memberList(members: readonly Held[]): Html {
  const items = members
    .slice(0, shown.objects)
    .map((change) => html`<li>${objectName(change.ref)} ${place(change.origin)}</li>`);
  const left = members.length - items.length;
  const list = html`<ul class="plain">
    ${items} ${when(left > 0, () => html`<li class="dim">and ${left} more</li>`)}
  </ul>`;
  if (members.length <= 5) return list;
  return html`<details>
    <summary>${plural(members.length, 'object')}</summary>
    ${list}
  </details>`;
}
