import { neutralise } from '../model/neutralise.ts';

/** The moment that a report speaks of, and the zone its readers live in. */
export interface TimeFrame {
  /** RFC 3339: the report's `generatedAt`, so that the same report always reads the same. */
  readonly now: string;
  /** An IANA name such as 'Asia/Shanghai'. */
  readonly timeZone: string;
}

/** '14:02:10' on the day of the report, else '2026-11-29 14:02:10'. A text that is no time is given as it is. */
export function formatTime(time: string, frame: TimeFrame): string {
  const [day, clock] = partsOf(time, frame.timeZone);
  if (clock === undefined) return neutralise(time);
  return day === partsOf(frame.now, frame.timeZone)[0] ? clock : `${day} ${clock}`;
}

/** '2026-11-30 14:02:13 UTC': nothing left to the reader's knowledge. */
export function formatFullTime(time: string, frame: TimeFrame): string {
  const [day, clock, zone] = partsOf(time, frame.timeZone);
  return clock === undefined || zone === undefined ? neutralise(time) : `${day} ${clock} ${zone}`;
}

/** '2s ago', '3m ago', '5h ago', '2d ago'; a time ahead of the report's, as skewed clocks give, is 'just now'. */
export function formatAge(time: string, frame: TimeFrame): string {
  const seconds = Math.floor((Date.parse(frame.now) - Date.parse(time)) / 1000);
  if (Number.isNaN(seconds)) return neutralise(time);
  if (seconds < 1) return 'just now';
  if (seconds < 120) return `${seconds}s ago`;
  if (seconds < 2 * 3600) return `${Math.floor(seconds / 60)}m ago`;
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)}h ago`;
  return `${Math.floor(seconds / 86_400)}d ago`;
}

/** A sentence with each RFC 3339 time in it as its reader tells time: 'removed after 14:02:16 (in 3s)'. */
export function readableTimes(text: string, frame: TimeFrame): string {
  return text.replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (time) => {
    const isAhead = Date.parse(time) > Date.parse(frame.now);
    // The age of now, seen from the time ahead, is how long it takes until then.
    const ahead = formatAge(frame.now, { ...frame, now: time }).replace(/^(.*) ago$/, 'in $1');
    return `${formatTime(time, frame)} (${isAhead ? ahead : formatAge(time, frame)})`;
  });
}

function partsOf(time: string, timeZone: string): [day: string, clock?: string, zone?: string] {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return [time];
  const parts = new Map(
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'short',
    })
      .formatToParts(date)
      .map((part) => [part.type, part.value] as const),
  );
  const of = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  const day = `${of('year')}-${of('month')}-${of('day')}`;
  return [day, `${of('hour')}:${of('minute')}:${of('second')}`, of('timeZoneName')];
}
