import { createHash } from 'node:crypto';

import type { DesiredObject } from '../../model/desired.ts';
import { groupKindOf } from '../../model/object-ref.ts';
import type { RenderedSource } from '../render-source.ts';

/**
 * Where results outlive the process. Programs take a hundred times as long as reading back what they gave; plain
 * manifests and templates take no longer than that, and are not kept.
 */
export interface KeptRenderings {
  get(key: string): string | undefined;
  put(key: string, text: string): void;
}

/** Moves whenever the same inputs come to give something else, or are written in another form. */
const format = 'rendering-1';

/** What was kept for these inputs; undefined where there is nothing, or nothing that can be read. */
export function recallRendering(kept: KeptRenderings, inputs: string): RenderedSource | undefined {
  const text = kept.get(nameOf(inputs));
  if (text === undefined) return undefined;
  try {
    // Written by keepRendering alone: the name holds the format.
    const { objects, warnings } = JSON.parse(text) as Omit<RenderedSource, 'faults'>;
    return { objects, faults: [], ...(warnings === undefined ? {} : { warnings }) };
  } catch {
    return undefined;
  }
}

/** Keeps a result, but for one with faults, and one that holds what no file of ours may hold: the values of a Secret. */
export function keepRendering(kept: KeptRenderings, inputs: string, rendered: RenderedSource): void {
  if (rendered.faults.length > 0 || rendered.objects.some(holdsSecret)) return;
  const { objects, warnings } = rendered;
  kept.put(nameOf(inputs), JSON.stringify({ objects, warnings }));
}

/** Inputs hold values, which may be secret, so they are known by their hash. */
function nameOf(inputs: string): string {
  return createHash('sha256').update(format).update(inputs).digest('hex');
}

function holdsSecret({ ref, manifest }: DesiredObject): boolean {
  return groupKindOf(ref) === 'Secret' && ('data' in manifest || 'stringData' in manifest);
}
