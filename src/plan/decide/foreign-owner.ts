import { applySetIdLabel, desiredHashAnnotation, fieldManager, partOfLabel } from '../../model/apply-set.ts';
import { arrayAt, type JsonObject, stringAt, valueAt } from '../../model/json.ts';
import { managedFieldsOf } from '../../model/managed-fields.ts';

/**
 * Who else owns an object, said for people; undefined when no tool and no controller does.
 * Reads the marks that each tool leaves: an ApplySet label, tracking labels and annotations, a controller reference.
 */
export function foreignOwner(live: JsonObject, applySetId: string): string | undefined {
  const label = (key: string): string | undefined => stringAt(live, 'metadata', 'labels', key);
  const annotation = (key: string): string | undefined => stringAt(live, 'metadata', 'annotations', key);
  const applySet = otherApplySet(label, applySetId);
  if (applySet !== undefined) return applySet;
  const argo = annotation('argocd.argoproj.io/tracking-id');
  if (argo !== undefined) return `Argo CD (${argo})`;
  for (const tool of ['kustomize', 'helm']) {
    const name = label(`${tool}.toolkit.fluxcd.io/name`);
    if (name !== undefined) return `Flux (${tool} ${name})`;
  }
  const fleet = annotation('objectset.rio.cattle.io/id');
  if (fleet !== undefined) return `Rancher Fleet (${fleet})`;
  const inventory = annotation('config.k8s.io/owning-inventory');
  if (inventory !== undefined) return `the inventory ${inventory} of kpt or Config Sync`;
  const app = label('kapp.k14s.io/app');
  if (app !== undefined) return `kapp (${app})`;
  const release = annotation('meta.helm.sh/release-name');
  if (release !== undefined && label('app.kubernetes.io/managed-by') === 'Helm')
    return `the Helm release ${release}`;
  const controller = arrayAt(live, 'metadata', 'ownerReferences').find(
    (owner) => valueAt(owner, 'controller') === true,
  );
  if (controller !== undefined)
    return `${stringAt(controller, 'kind') ?? 'a controller'}/${stringAt(controller, 'name') ?? ''}`;
  return undefined;
}

/** Of a member or of the parent that tells what the members are. */
function otherApplySet(label: (key: string) => string | undefined, applySetId: string): string | undefined {
  const member = label(partOfLabel);
  if (member !== undefined && member !== applySetId) return `the ApplySet ${member}`;
  const parent = label(applySetIdLabel);
  return parent === undefined ? undefined : `the ApplySet ${parent}, whose parent it is`;
}

/** An object of ours whose ApplySet label somebody removed: our field manager and our annotation are still on it. */
export function lostOurLabel(live: JsonObject): boolean {
  return (
    stringAt(live, 'metadata', 'labels', partOfLabel) === undefined &&
    stringAt(live, 'metadata', 'annotations', desiredHashAnnotation) !== undefined &&
    managedFieldsOf(live).some((entry) => entry.manager === fieldManager && entry.operation === 'Apply')
  );
}
