import type { JsonObject } from '../../model/json.ts';
import type { ServerFacts } from '../../model/server-facts.ts';

/** What a template may speak of. */
export interface TemplateData {
  readonly cluster: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  } & Partial<Pick<ServerFacts, 'version' | 'kubeVersion' | 'apiVersions'>>;
  readonly fleet: { readonly name: string };
  readonly params: JsonObject;
  /** Only for a generator with `each`. */
  readonly item?: JsonObject;
}
