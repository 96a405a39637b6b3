import { Liquid, LiquidError, Token } from 'liquidjs';

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

export type TemplateResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string; readonly line: number; readonly column: number };

const engine = new Liquid({
  strictVariables: true,
  strictFilters: true,
  ownPropertyOnly: true,
  // Templates come from the repository: no include may reach the disk, and none may run or grow without end.
  templates: {},
  parseLimit: 10 * 1024 * 1024,
  renderLimit: 5_000,
  memoryLimit: 50 * 1024 * 1024,
});

/** The same revision must give the same manifests each time, so what depends on the clock or on chance is refused. */
for (const name of [
  'date',
  'date_to_xmlschema',
  'date_to_rfc822',
  'date_to_string',
  'date_to_long_string',
  'sample',
]) {
  engine.registerFilter(name, () => {
    throw new Error(`the filter ${name} is not available: its result changes from one rendering to the next`);
  });
}

/** Renders a Liquid template. A variable that is missing is a fault. */
export function renderTemplate(template: string, data: TemplateData): TemplateResult {
  if (!template.includes('{{') && !template.includes('{%')) return { ok: true, text: template };
  try {
    return { ok: true, text: String(engine.parseAndRenderSync(template, data)) };
  } catch (error) {
    if (!LiquidError.is(error))
      return {
        ok: false,
        message: error instanceof Error ? error.message : String(error),
        line: 1,
        column: 1,
      };
    const [line, column] = positionOf(error);
    return {
      ok: false,
      message: error.message.split('\n')[0]?.replace(/, line:\d+(, col:\d+)?$/, '') ?? '',
      line,
      column,
    };
  }
}

/** The position is in the token, whose class the package's types leave open. */
function positionOf(error: LiquidError): readonly [number, number] {
  const token: unknown = error.token;
  if (!(token instanceof Token)) return [1, 1];
  const [line = 1, column = 1] = token.getPosition();
  return [line, column];
}
