import { FleetError } from '../model/fleet-error.ts';
import { isJsonObject, type JsonObject, stringAt, valueAt } from '../model/json.ts';
import { statusError } from '../kube/status-error.ts';

/** One line of a watch. Source: k8s.io/apimachinery meta/v1 WatchEvent. */
export type WatchEvent =
  | { readonly type: 'put' | 'remove'; readonly object: JsonObject; readonly resourceVersion: string }
  /** Nothing changed up to here. `initialEnd`: every object that existed at the start has been sent. */
  | { readonly type: 'bookmark'; readonly resourceVersion: string; readonly initialEnd: boolean };

/**
 * Reads a line of a watch.
 * @throws FleetError for an ERROR event, as for a response with its status; ClusterUnreachable for an unknown shape.
 */
export function parseWatchEvent(line: JsonObject): WatchEvent {
  const { object } = line;
  if (!isJsonObject(object)) throw unknownShape();
  const resourceVersion = stringAt(object, 'metadata', 'resourceVersion') ?? '';
  switch (stringAt(line, 'type')) {
    case 'ADDED':
    case 'MODIFIED':
      return { type: 'put', object, resourceVersion };
    case 'DELETED':
      return { type: 'remove', object, resourceVersion };
    case 'BOOKMARK': {
      const initialEnd = stringAt(object, 'metadata', 'annotations', 'k8s.io/initial-events-end') === 'true';
      return { type: 'bookmark', resourceVersion, initialEnd };
    }
    case 'ERROR': {
      const code = valueAt(object, 'code');
      throw statusError({ httpStatus: typeof code === 'number' ? code : 500, body: JSON.stringify(object) });
    }
    default:
      throw unknownShape();
  }
}

function unknownShape(): FleetError {
  return new FleetError('ClusterUnreachable', 'the watch sent something that is no watch event');
}
