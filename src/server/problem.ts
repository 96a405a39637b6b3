const titles = {
  404: 'Not found',
  405: 'Method not allowed',
  421: 'Misdirected request',
  500: 'Internal error',
  503: 'Service unavailable',
} as const;

export type ProblemStatus = keyof typeof titles;

/** An error as a client reads it. `detail` is written for strangers: nothing of a cause, a path or a stack. RFC 9457. */
export function problem(
  status: ProblemStatus,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = { type: 'about:blank', title: titles[status], status, detail };
  return new Response(`${JSON.stringify(body)}\n`, {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  });
}
