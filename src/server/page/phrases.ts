import type { FieldManager } from '../../model/field.ts';
import type { ObjectRef } from '../../model/object-ref.ts';
import type { Origin } from '../../model/origin.ts';
import { formatAge, formatFullTime, formatTime, type TimeFrame } from '../../report/format-time.ts';
import { managerName } from '../../report/manager-name.ts';
import { originText } from '../../report/text/text-context.ts';
import { type Content, html, type Html } from './html.ts';

/** The page is made in UTC; its script puts times into the reader's zone. */
export function frameAt(now: string): TimeFrame {
  return { now, timeZone: 'UTC' };
}

/** '3s ago'; the script keeps it counting. */
export function age(time: string, frame: TimeFrame): Html {
  return timeElement(time, { form: 'age', text: formatAge(time, frame), frame });
}

/** '14:02:11', with the day where it is another. */
export function clock(time: string, frame: TimeFrame): Html {
  return timeElement(time, { form: 'clock', text: formatTime(time, frame), frame });
}

function timeElement(
  time: string,
  { form, text, frame }: { form: string; text: string; frame: TimeFrame },
): Html {
  const date = new Date(time);
  // Times of managedFields are a cluster's word: what is no time is shown as it is.
  if (Number.isNaN(date.getTime())) return html`${time}`;
  const full = formatFullTime(time, frame);
  return html`<time datetime="${date.toISOString()}" data-form="${form}" title="${full}">${text}</time>`;
}

/** 'Deployment/web in shop' with the name standing out. */
export function objectName(ref: ObjectRef): Html {
  const where = ref.namespace === '' ? '' : html` <span class="dim">in ${ref.namespace}</span>`;
  return html`<span class="object" title="${ref.apiVersion}">${ref.kind}/<b>${ref.name}</b>${where}</span>`;
}

/** 'apps/web.yaml:12', or the generator of an object that Git no longer has. */
export function place(origin: Origin): Content {
  const text = originText(origin);
  if (text === '') return '';
  return origin.file === ''
    ? html`<span class="place">${text}</span>`
    : html`<code class="place" title="from ${origin.generator}">${text}</code>`;
}

/** 'kubectl edit (kubectl-edit), 14:02:10 (3s ago); k9s' */
export function changedBy(managers: readonly FieldManager[], frame: TimeFrame): Content {
  if (managers.length === 0) return 'by whom is not recorded';
  return managers.map((manager, index) => {
    const { time } = manager;
    const when = time === undefined ? '' : html`, ${clock(time, frame)} (${age(time, frame)})`;
    return html`${index === 0 ? '' : '; '}${managerName(manager)}${when}`;
  });
}

/** Our own sentences, in which `…` marks what is typed. */
export function sentence(text: string): Content {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** A message line by line. */
export function lines(text: string): Content {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => html`<p class="message">${line}</p>`);
}
