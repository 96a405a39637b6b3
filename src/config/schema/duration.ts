const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds of '30s', '5m', '1h30m', '250ms' or '0'; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  if (!/^([0-9]+(ms|s|m|h))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount = '', unit = ''] of text.matchAll(/([0-9]+)(ms|s|m|h)/g)) {
    total += Number(amount) * (units[unit] ?? 0);
  }
  return Number.isSafeInteger(total) ? total : undefined;
}
