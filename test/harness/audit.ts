import { randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, stringAt, valueAt } from '../../src/model/json.ts';
import { connectNodeApi } from '../../src/local/control-plane/simulated-node/node-api.ts';
import type { ControlPlane } from '../../src/local/control-plane/start-control-plane.ts';

/** One request, as the API server tells it. */
export interface AuditEvent {
  readonly id: string;
  readonly user: string;
  /** 'get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'. */
  readonly verb: string;
  /** 'ResponseComplete' for every request; long-running ones have a 'ResponseStarted' before it. */
  readonly stage: string;
  readonly uri: string;
  /** 'deployments' or 'pods/status'; '' for a request that is about no object, such as discovery. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly status: number;
  readonly userAgent: string;
  readonly receivedAt: Date;
}

const writeVerbs: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** All events of an audit log from a byte offset on, oldest answer first. A line that is still being written is left out. */
export async function readAudit(path: string, fromByte = 0): Promise<AuditEvent[]> {
  const text = (await readFile(path)).subarray(fromByte).toString('utf8');
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  return lines.filter((line) => line !== '').map((line) => parseEvent(JSON.parse(line)));
}

/** The finished requests of one user that may have changed something; dry runs are none. */
export function writesBy(events: readonly AuditEvent[], user: string): AuditEvent[] {
  return requestsBy(events, user).filter(({ verb, uri }) => writeVerbs.has(verb) && !uri.includes('dryRun='));
}

/** The finished requests of one user, each once. */
export function requestsBy(events: readonly AuditEvent[], user: string): AuditEvent[] {
  return events.filter((event) => event.user === user && event.stage === 'ResponseComplete');
}

/** The audit events from now on. `events` first makes sure that all answers given before it are in the log. */
export async function auditFromNow(
  controlPlane: ControlPlane,
): Promise<{ events: () => Promise<AuditEvent[]> }> {
  const path = controlPlane.auditLogPath!;
  await syncAudit(controlPlane, 0);
  const { size } = await stat(path);
  return {
    events: async () => {
      const mark = await syncAudit(controlPlane, size);
      return (await readAudit(path, size)).filter((event) => !event.uri.includes(mark));
    },
  };
}

const auditUser = 'audit-reader';
const syncDeadlineMs = 5_000;

/** Makes a request that no other resembles and waits until the log has it. */
async function syncAudit(controlPlane: ControlPlane, fromByte: number): Promise<string> {
  const credentials = await controlPlane.issueCredentials(auditUser, ['system:masters'], 60_000);
  const api = connectNodeApi(controlPlane.url, { ca: controlPlane.ca, credentials });
  const mark = randomUUID();
  const signal = AbortSignal.timeout(syncDeadlineMs);
  try {
    await api.send({ method: 'GET', path: `/version?mark=${mark}` }, signal);
  } finally {
    await api.close();
  }
  const logged = async (): Promise<boolean> =>
    (await readAudit(controlPlane.auditLogPath!, fromByte)).some((event) => event.uri.includes(mark));
  while (!(await logged())) await sleep(20, undefined, { signal });
  return mark;
}

function parseEvent(event: unknown): AuditEvent {
  const text = (...keys: string[]): string => stringAt(event, ...keys) ?? '';
  if (!isJsonObject(event)) throw new TypeError('an audit log holds something else than objects');
  const subresource = text('objectRef', 'subresource');
  return {
    id: text('auditID'),
    user: text('user', 'username'),
    verb: text('verb'),
    stage: text('stage'),
    uri: text('requestURI'),
    resource: text('objectRef', 'resource') + (subresource === '' ? '' : `/${subresource}`),
    namespace: text('objectRef', 'namespace'),
    name: text('objectRef', 'name'),
    status: Number(valueAt(event, 'responseStatus', 'code') ?? 0),
    userAgent: text('userAgent'),
    receivedAt: new Date(text('requestReceivedTimestamp')),
  };
}
