import type { FieldManager } from '../model/field.ts';
import { formatRef } from '../model/object-ref.ts';

import { neutralise } from '../model/neutralise.ts';

/** What field managers are called by people. kubectl's own follow a rule and need no entry. */
const readings: Readonly<Record<string, string>> = {
  'kubectl-client-side-apply': 'kubectl apply',
  'before-first-apply': 'before the first server-side apply',
  'argocd-controller': 'Argo CD',
  'argocd-application-controller': 'Argo CD',
  'kustomize-controller': 'Flux Kustomization',
  'helm-controller': 'Flux HelmRelease',
  fleetagent: 'Rancher Fleet',
  HashiCorp: 'Terraform',
  Terraform: 'Terraform',
  'pulumi-kubernetes': 'Pulumi',
  Mozilla: 'a web browser',
  dashboard: 'Kubernetes Dashboard',
  'node-fetch': 'a Node.js client',
  'OpenAPI-Generator': 'a generated client',
  'Go-http-client': 'a Go client',
  'python-requests': 'a Python client',
};

/**
 * Who wrote a field or deleted an object, in words, with the manager's own name beside them where it differs, and the
 * user and address where they are known: 'kubectl edit (kubectl-edit)', 'k9s by jane from 10.0.0.7',
 * 'kubectl delete of Namespace/shop (kubectl) by jane from 10.0.0.7',
 * 'horizontal-pod-autoscaler (kube-controller-manager)'.
 */
export function managerName(manager: FieldManager): string {
  const reading = readingOf(manager);
  const target = manager.target === undefined ? '' : ` of ${formatRef(manager.target)}`;
  const name = reading === manager.manager ? '' : ` (${manager.manager})`;
  return neutralise(`${reading}${target}${name}${requesterOf(manager)}`);
}

/** ' by jane from 10.0.0.7 via 10.0.0.1'; of a controller its own account would only repeat its name. */
function requesterOf(manager: FieldManager): string {
  const { user, sourceIPs = [] } = manager;
  if (user === undefined || controllerOf(manager) !== undefined) return '';
  return `${user === '' ? '' : ` by ${user}`}${sourceIPs.length === 0 ? '' : ` from ${sourceIPs.join(' via ')}`}`;
}

/** Which of the many controllers in the controller manager wrote, as its account tells. */
function controllerOf({ manager, user }: FieldManager): string | undefined {
  if (manager !== 'kube-controller-manager') return undefined;
  return /^system:serviceaccount:kube-system:(?<name>.+)$/.exec(user ?? '')?.groups?.['name'];
}

function readingOf(writer: FieldManager): string {
  const { manager, operation, subresource } = writer;
  const isKubectl = manager === 'kubectl' || manager.startsWith('kubectl-');
  if (subresource === 'scale') {
    if (isKubectl) return 'kubectl scale';
    // Only the autoscaler scales through the controller manager.
    if (manager === 'kube-controller-manager') return 'horizontal-pod-autoscaler';
  }
  const controller = controllerOf(writer);
  if (controller !== undefined) return controller;
  if (operation === 'Delete' && isKubectl) return 'kubectl delete';
  if (Object.hasOwn(readings, manager)) return readings[manager] ?? manager;
  if (manager === 'kubectl') return operation === 'Apply' ? 'kubectl apply --server-side' : manager;
  return isKubectl ? `kubectl ${manager.slice('kubectl-'.length)}` : manager;
}
