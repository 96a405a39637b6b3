import type { KeptRenderings } from '../render/renderers/kept-renderings.ts';
import type { StateStore } from '../store/state-store.ts';

/** Keeps results of programs in the state folder. */
export function keptRenderings(store: Pick<StateStore, 'rendering' | 'keepRendering'>): KeptRenderings {
  return {
    get: (key) => store.rendering(key),
    put: (key, text) => {
      store.keepRendering(key, text);
    },
  };
}
