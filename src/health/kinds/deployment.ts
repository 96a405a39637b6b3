import { degraded, type Health, healthy, progressing } from '../../model/health.ts';
import type { JsonObject } from '../../model/json.ts';
import { conditionOf, explain, isTrue } from '../conditions.ts';
import { numberAt } from '../numbers.ts';

/** Source: k8s.io/kubectl pkg/polymorphichelpers, DeploymentStatusViewer; the conditions of apps/v1. */
export function deploymentHealth(live: JsonObject): Health {
  const progress = conditionOf(live, 'Progressing');
  if (progress?.reason === 'ProgressDeadlineExceeded') return degraded(explain(progress));
  const failure = conditionOf(live, 'ReplicaFailure');
  if (failure?.status === 'True') return degraded(explain(failure));
  const wanted = numberAt(live, ['spec', 'replicas'], 1);
  const total = numberAt(live, ['status', 'replicas']);
  const updated = numberAt(live, ['status', 'updatedReplicas']);
  const available = numberAt(live, ['status', 'availableReplicas']);
  if (updated < wanted) return progressing(`${updated} of ${wanted} replicas are updated`);
  if (total > updated) return progressing(`${total - updated} old replicas are still running`);
  if (available < wanted) return progressing(`${available} of ${wanted} replicas are available`);
  const condition = conditionOf(live, 'Available');
  if (wanted > 0 && condition !== undefined && !isTrue(live, 'Available'))
    return progressing(explain(condition));
  return healthy;
}
