import { Pool } from 'undici';

import type { ControlPlane } from '../../src/local/control-plane/start-control-plane.ts';
import type { JsonObject } from '../../src/model/json.ts';

/** A user of a cluster with a program of their own, as the API server's audit log tells them apart. */
export interface Person {
  delete(path: string): Promise<void>;
  /** A merge patch in the name of a field manager. */
  patch(path: string, body: JsonObject, manager: string): Promise<void>;
  close(): Promise<void>;
}

const kubectl = 'kubectl/v1.36.3 (linux/amd64) kubernetes/4cb5f07';

/** Connects as a user who may do everything. */
export async function person(
  controlPlane: ControlPlane,
  user: string,
  { agent = kubectl } = {},
): Promise<Person> {
  const { certificate, key } = await controlPlane.issueCredentials(user, ['system:masters'], 3_600_000);
  const pool = new Pool(controlPlane.url, { connect: { ca: controlPlane.ca, cert: certificate, key } });
  const send = async (method: 'DELETE' | 'PATCH', path: string, body?: JsonObject): Promise<void> => {
    const answer = await pool.request({
      method,
      path,
      headers: { 'user-agent': agent, 'content-type': 'application/merge-patch+json' },
      signal: AbortSignal.timeout(30_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode > 299) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
  };
  return {
    delete: (path) => send('DELETE', path),
    patch: (path, body, manager) => send('PATCH', `${path}?fieldManager=${manager}`, body),
    close: () => pool.destroy(),
  };
}
