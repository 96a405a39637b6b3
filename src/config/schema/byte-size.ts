const units: Readonly<Record<string, number>> = {
  k: 1e3,
  M: 1e6,
  G: 1e9,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
};

/** Bytes of '500k', '8Mi' or '1Gi', written as Kubernetes writes quantities; undefined for anything else. */
export function parseByteSize(text: string): number | undefined {
  const [, amount = '', unit = ''] = /^([0-9]+)(k|M|G|Ki|Mi|Gi)$/.exec(text) ?? [];
  const bytes = Number(amount) * (units[unit] ?? 0);
  return amount !== '' && Number.isSafeInteger(bytes) ? bytes : undefined;
}
