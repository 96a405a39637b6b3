import { fieldManager } from '../../model/apply-set.ts';
import type { FieldManager } from '../../model/field.ts';
import { arrayAt, isJsonObject, type JsonObject, objectAt, stringAt, valueAt } from '../../model/json.ts';

/** An object as requests name it: by the plural of its kind. Of a whole collection, `name` is ''. */
export interface AuditedPlace {
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** Who sent a request, as the API server saw it. */
export type Requester = Required<Pick<FieldManager, 'manager' | 'user' | 'sourceIPs'>>;

/** A request that changed something. Times are RFC 3339, from the API server's own clock. */
export interface AuditedWrite {
  readonly place: AuditedPlace;
  readonly requester: Requester;
  /** 'scale'; '' for the object itself. */
  readonly subresource: string;
  readonly receivedAt: string;
  readonly answeredAt: string;
  /**
   * created: the object did not exist before. deleted: it was gone with the answer. deleting: the answer left open when it
   * goes, as it does with finalizers, with a grace period and for collections.
   */
  readonly effect: 'created' | 'updated' | 'deleted' | 'deleting';
  /** One of our own writes. */
  readonly isOurs: boolean;
}

/** What a line of an audit log is. `other`: an event of no interest here. */
export type AuditLine =
  { readonly kind: 'write'; readonly write: AuditedWrite } | { readonly kind: 'other' | 'garbage' };

/** A user name, an address or a name of a program beyond this is cut: a log line may be of any size. */
const longestText = 253;
const mostAddresses = 8;

/** Of the lines of a busy log few are writes: the others need not be parsed. */
const mayBeWrite = /"verb"\s*:\s*"(?:create|update|patch|delete|deletecollection)"/;

/** Reads one line of an audit log. Source: k8s.io/apiserver pkg/apis/audit/v1, Event. */
export function parseAuditLine(line: string): AuditLine {
  if (!line.includes('"audit.k8s.io/')) return { kind: 'garbage' };
  if (!mayBeWrite.test(line)) return { kind: 'other' };
  let event: unknown;
  try {
    event = JSON.parse(line);
  } catch {
    return { kind: 'garbage' };
  }
  if (!isJsonObject(event) || stringAt(event, 'kind') !== 'Event') return { kind: 'garbage' };
  const write = writeOf(event);
  return write === undefined ? { kind: 'other' } : { kind: 'write', write };
}

function writeOf(event: JsonObject): AuditedWrite | undefined {
  const text = (...keys: string[]): string => stringAt(event, ...keys) ?? '';
  const effect = effectOf(event);
  const place = placeOf(objectAt(event, 'objectRef'));
  const subresource = text('objectRef', 'subresource');
  const query = queryOf(text('requestURI'));
  if (effect === undefined || subresource === 'status' || query.has('dryRun')) return undefined;
  // The name that an API server makes for an object is not in its log.
  if (place.resource === '' || (place.name === '' && effect !== 'deleting')) return undefined;
  const agent = managerOfAgent(text('userAgent'));
  const manager = query.get('fieldManager') ?? agent;
  return {
    place,
    requester: { manager: cut(manager), user: userOf(event), sourceIPs: addressesOf(event) },
    subresource,
    receivedAt: text('requestReceivedTimestamp'),
    answeredAt: text('stageTimestamp'),
    effect,
    isOurs: manager === fieldManager && agent === fieldManager,
  };
}

/** What a finished and successful request did; undefined for every other event. */
function effectOf(event: JsonObject): AuditedWrite['effect'] | undefined {
  const code = valueAt(event, 'responseStatus', 'code');
  const isDone = stringAt(event, 'stage') === 'ResponseComplete' && typeof code === 'number';
  if (!isDone || code < 200 || code > 299) return undefined;
  switch (stringAt(event, 'verb')) {
    case 'delete':
      // The answer is a Status that names the object's uid only where the object is gone.
      return stringAt(event, 'responseStatus', 'details', 'uid') === undefined ? 'deleting' : 'deleted';
    case 'deletecollection':
      return 'deleting';
    case 'create':
    case 'update':
    case 'patch':
      return code === 201 ? 'created' : 'updated';
    default:
      return undefined;
  }
}

function placeOf(ref: JsonObject): AuditedPlace {
  const group = stringAt(ref, 'apiGroup') ?? '';
  const resource = stringAt(ref, 'resource') ?? '';
  // The API server takes a namespace for its own namespace.
  const isNamespace = group === '' && resource === 'namespaces';
  const namespace = isNamespace ? '' : (stringAt(ref, 'namespace') ?? '');
  return { group, resource, namespace, name: stringAt(ref, 'name') ?? '' };
}

function queryOf(uri: string): URLSearchParams {
  const start = uri.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : uri.slice(start + 1));
}

/**
 * The manager that the API server makes of a user agent where a request names none.
 * Source: k8s.io/apiserver pkg/endpoints/handlers, prefixFromUserAgent.
 */
function managerOfAgent(agent: string): string {
  return agent.slice(0, (agent + '/').indexOf('/')).replace(/\p{C}/gu, '');
}

/** Whom the request acted for, where it acted for another. */
function userOf(event: JsonObject): string {
  return cut(stringAt(event, 'impersonatedUser', 'username') ?? stringAt(event, 'user', 'username') ?? '');
}

function addressesOf(event: JsonObject): string[] {
  const addresses = arrayAt(event, 'sourceIPs').filter((address) => typeof address === 'string');
  return addresses.slice(0, mostAddresses).map(cut);
}

function cut(text: string): string {
  return text.slice(0, longestText);
}
