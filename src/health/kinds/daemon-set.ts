import { type Health, healthy, progressing } from '../../model/health.ts';
import { type JsonObject, stringAt } from '../../model/json.ts';
import { numberAt } from '../numbers.ts';

/** Source: k8s.io/kubectl pkg/polymorphichelpers, DaemonSetStatusViewer. */
export function daemonSetHealth(live: JsonObject): Health {
  const wanted = numberAt(live, ['status', 'desiredNumberScheduled']);
  const updated = numberAt(live, ['status', 'updatedNumberScheduled']);
  const available = numberAt(live, ['status', 'numberAvailable']);
  const onDelete = stringAt(live, 'spec', 'updateStrategy', 'type') === 'OnDelete';
  if (!onDelete && updated < wanted) return progressing(`${updated} of ${wanted} nodes run the new pod`);
  if (available < wanted) return progressing(`the pod is available on ${available} of ${wanted} nodes`);
  return healthy;
}
