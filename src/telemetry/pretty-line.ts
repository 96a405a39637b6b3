import picocolors from 'picocolors';

import { isJsonObject } from '../model/json.ts';
import { neutralise } from '../model/neutralise.ts';

/** '14:02:11 info  synced  cluster=shanghai-prod created=3': a JSON log line for a person's eyes, in UTC. */
export function prettyLine(json: string, options: { readonly color: boolean }): string {
  const { level, time, msg, ...fields } = parseLine(json);
  const colors = picocolors.createColors(options.color);
  const levelText = typeof level === 'string' ? level : 'info';
  const paint = { error: colors.red, warn: colors.yellow, debug: colors.dim }[levelText] ?? colors.green;
  const clock = typeof time === 'string' ? time.slice(11, 19) : '';
  const rest = Object.entries(fields).map(([key, value]) =>
    colors.dim(neutralise(`${key}=${fieldText(value)}`)),
  );
  const head = `${colors.dim(clock)} ${paint(levelText.padEnd(5))} ${neutralise(typeof msg === 'string' ? msg : '')}`;
  return `${head}${rest.length === 0 ? '' : `  ${rest.join(' ')}`}\n`;
}

function parseLine(json: string): Record<string, unknown> {
  const parsed: unknown = JSON.parse(json);
  return isJsonObject(parsed) ? parsed : {};
}

function fieldText(value: unknown): string {
  return typeof value === 'string' && /^[^\s="]+$/.test(value) ? value : JSON.stringify(value);
}
