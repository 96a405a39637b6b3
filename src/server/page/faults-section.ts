import type { FleetError } from '../../model/fleet-error.ts';
import type { ChangeReport } from '../../model/report.ts';
import { remedyOf } from '../../report/remedy.ts';
import { sortErrors } from '../../report/sort-report.ts';
import { plural } from '../../report/text/text-context.ts';
import { type Content, html, type Html, when } from './html.ts';
import { shown } from './page-data.ts';
import { lines, objectName, place, sentence } from './phrases.ts';

interface Fault {
  readonly key: string;
  readonly error: FleetError;
  readonly clusters: Set<string>;
}

/** Every fault once, with the clusters that meet it; nothing where there is none. */
export function renderFaults(sync: ChangeReport): Content {
  const faults = gatherFaults(sync);
  if (faults.length === 0) return '';
  const left = faults.length - shown.faults;
  return html`<section aria-labelledby="faults">
    <h2 id="faults">Faults</h2>
    ${faults.slice(0, shown.faults).map(faultItem)}
    ${when(left > 0, () => html`<p class="dim">And ${plural(left, 'fault')} more: <code>fleetwright plan</code></p>`)}
  </section>`;
}

/** One broken manifest is met in every cluster that wants it, and by its change as well as by its cluster. */
function gatherFaults(sync: ChangeReport): Fault[] {
  const faults = new Map<string, Fault>();
  const add = (error: FleetError, cluster?: string): void => {
    const { ref, origin } = error.subject;
    const key = JSON.stringify([error.code, error.message, ref ?? null, origin ?? null]);
    const fault = faults.get(key) ?? { key, error, clusters: new Set() };
    if (cluster !== undefined) fault.clusters.add(cluster);
    faults.set(key, fault);
  };
  for (const error of sync.errors) add(error, error.subject.cluster);
  for (const { name, errors, changes } of sync.clusters) {
    for (const error of errors) add(error, name);
    for (const change of changes) if (change.action === 'failed') add(change.error.about(change), name);
  }
  const order = sortErrors([...faults.values()].map(({ error }) => error));
  const byError = new Map([...faults.values()].map((fault) => [fault.error, fault]));
  return order.flatMap((error) => byError.get(error) ?? []);
}

function faultItem({ key, error, clusters }: Fault): Html {
  const { ref, origin } = error.subject;
  const remedy = remedyOf(error);
  return html`<article class="card fault-card" data-key="${key}">
    <h3>
      <span class="chip bad">${error.code}</span> ${origin === undefined ? '' : place(origin)}
      ${ref === undefined ? '' : objectName(ref)}
    </h3>
    ${lines(error.message)}
    ${when(clusters.size > 0, () => html`<p class="dim">in ${nameList([...clusters])}</p>`)}
    ${remedy === undefined ? '' : html`<p class="remedy">${sentence(remedy)}</p>`}
  </article>`;
}

function nameList(names: readonly string[]): string {
  const left = names.length - shown.names;
  const listed = names.slice(0, shown.names).join(', ');
  return left > 0 ? `${listed} and ${plural(left, 'cluster')} more` : listed;
}
