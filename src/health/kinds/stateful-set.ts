import { type Health, healthy, progressing } from '../../model/health.ts';
import { type JsonObject, stringAt } from '../../model/json.ts';
import { numberAt } from '../numbers.ts';

/** Source: k8s.io/kubectl pkg/polymorphichelpers, StatefulSetStatusViewer. */
export function statefulSetHealth(live: JsonObject): Health {
  const wanted = numberAt(live, ['spec', 'replicas'], 1);
  const ready = numberAt(live, ['status', 'readyReplicas']);
  const total = numberAt(live, ['status', 'replicas']);
  if (ready < wanted) return progressing(`${ready} of ${wanted} replicas are ready`);
  if (total > wanted) return progressing(`${total - wanted} replicas too many are still running`);
  // Under OnDelete a person decides when each pod takes the new template.
  if (stringAt(live, 'spec', 'updateStrategy', 'type') === 'OnDelete') return healthy;
  return updateHealth(live, wanted);
}

function updateHealth(live: JsonObject, wanted: number): Health {
  const partition = numberAt(live, ['spec', 'updateStrategy', 'rollingUpdate', 'partition']);
  const updated = numberAt(live, ['status', 'updatedReplicas']);
  const due = Math.max(0, wanted - partition);
  const newest = stringAt(live, 'status', 'updateRevision');
  const isCurrent = partition === 0 && newest === stringAt(live, 'status', 'currentRevision');
  return updated < due && !isCurrent ? progressing(`${updated} of ${due} replicas are updated`) : healthy;
}
