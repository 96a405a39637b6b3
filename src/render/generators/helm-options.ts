import type { HelmSettings } from '../../config/generator/generator.ts';
import type { ServerFacts } from '../../model/server-facts.ts';
import type { Capabilities } from '../renderers/renderer.ts';

/** `render.helm` where nothing sets it. */
export const defaultHelm = { valuesFiles: [], values: {}, includeCRDs: true, hooks: 'skip' } as const;

/** What charts are told of the cluster: what its server says, unless the generator says otherwise. */
export function capabilitiesOf(server: ServerFacts | undefined, helm?: HelmSettings): Capabilities {
  return {
    kubeVersion: helm?.kubeVersion ?? server?.kubeVersion,
    apiVersions: [...(server?.apiVersions ?? []), ...(helm?.apiVersions ?? [])],
  };
}
