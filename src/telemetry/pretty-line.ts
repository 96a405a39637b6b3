import picocolors from 'picocolors';

import { isJsonObject, stringAt } from '../model/json.ts';
import { neutralise } from '../model/neutralise.ts';

/** '14:02:11 info  synced  cluster=shanghai-prod created=3': a JSON log line for a person's eyes, in UTC. */
export function prettyLine(json: string, options: { readonly color: boolean }): string {
  const { level, time, msg, error, ...fields } = parseLine(json);
  const colors = picocolors.createColors(options.color);
  const levelText = typeof level === 'string' ? level : 'info';
  const paint = { error: colors.red, warn: colors.yellow, debug: colors.dim }[levelText] ?? colors.green;
  const clock = typeof time === 'string' ? time.slice(11, 19) : '';
  const rest = Object.entries(fields).map(([key, value]) =>
    colors.dim(neutralise(`${key}=${fieldText(value)}`)),
  );
  const head = `${colors.dim(clock)} ${paint(levelText.padEnd(5))} ${neutralise(typeof msg === 'string' ? msg : '')}`;
  const why = error === undefined ? '' : `: ${neutralise(errorText(error))}`;
  return `${head}${why}${rest.length === 0 ? '' : `  ${rest.join(' ')}`}\n`;
}

/** 'apps/web.yaml:10:3: ManifestInvalid: bad indentation', as commands print it. */
function errorText(error: unknown): string {
  const { code, message } = { code: stringAt(error, 'code'), message: stringAt(error, 'message') };
  if (message === undefined) return JSON.stringify(error);
  const place = stringAt(error, 'origin') ?? stringAt(error, 'object');
  const stack = stringAt(error, 'stack');
  return (
    [place, code, message].filter((part) => part !== undefined).join(': ') +
    (stack === undefined ? '' : `\n${stack}`)
  );
}

function parseLine(json: string): Record<string, unknown> {
  const parsed: unknown = JSON.parse(json);
  return isJsonObject(parsed) ? parsed : {};
}

function fieldText(value: unknown): string {
  // A commit's id is known by its beginning.
  if (typeof value === 'string' && /^[0-9a-f]{40}$/.test(value)) return value.slice(0, 7);
  return typeof value === 'string' && /^[^\s="]+$/.test(value) ? value : JSON.stringify(value);
}
