import { setTimeout as sleep } from 'node:timers/promises';
import { type JsonObject, stringAt } from '../../src/model/json.ts';
import { type ApiRequest, connectNodeApi } from '../../src/local/control-plane/simulated-node/node-api.ts';
import type { ControlPlane } from '../../src/local/control-plane/start-control-plane.ts';

/** A plain client for tests: what a person does with kubectl beside the engine. */
export interface TestApi {
  send(request: ApiRequest): Promise<{ readonly status: number; readonly body: unknown }>;
  /** @throws Error with the server's message when the answer is not 2xx. */
  create(path: string, body: JsonObject): Promise<unknown>;
  /** Reads again and again until it holds. @throws Error with the last answer after 20 s. */
  until(path: string, holds: (body: unknown, status: number) => boolean): Promise<unknown>;
  close(): Promise<void>;
}

const untilDeadlineMs = 60_000;
const untilIntervalMs = 50;

/** Connects as a user; without groups it has only the rights that RBAC gives it. */
export async function connectTestApi(
  controlPlane: ControlPlane,
  { user = 'tester', groups = ['system:masters'], lifetimeMs = 3_600_000 } = {},
): Promise<TestApi> {
  const credentials = await controlPlane.issueCredentials(user, groups, lifetimeMs);
  const api = connectNodeApi(controlPlane.url, { ca: controlPlane.ca, credentials });
  const never = new AbortController().signal;
  const send = (request: ApiRequest) => api.send(request, never);
  return {
    send,
    close: () => api.close(),
    async create(path, body) {
      const answer = await send({ method: 'POST', path, body });
      if (answer.status < 300) return answer.body;
      throw new Error(`POST ${path}: ${answer.status} ${stringAt(answer.body, 'message') ?? ''}`);
    },
    async until(path, holds) {
      const deadline = Date.now() + untilDeadlineMs;
      for (;;) {
        const { status, body } = await send({ method: 'GET', path });
        if (holds(body, status)) return body;
        if (Date.now() > deadline)
          throw new Error(`${path} did not come about; last: ${status} ${JSON.stringify(body)}`);
        await sleep(untilIntervalMs);
      }
    },
  };
}
