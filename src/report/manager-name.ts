import type { FieldManager } from '../model/field.ts';

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
 * Who wrote a field, in words, with the manager's own name beside them where it differs:
 * 'kubectl edit (kubectl-edit)', 'horizontal-pod-autoscaler (kube-controller-manager)', 'k9s'.
 */
export function managerName(manager: FieldManager): string {
  const reading = readingOf(manager);
  return neutralise(reading === manager.manager ? reading : `${reading} (${manager.manager})`);
}

function readingOf({ manager, operation, subresource }: FieldManager): string {
  const isKubectl = manager === 'kubectl' || manager.startsWith('kubectl-');
  if (subresource === 'scale') {
    if (isKubectl) return 'kubectl scale';
    // Only the autoscaler scales through the controller manager.
    if (manager === 'kube-controller-manager') return 'horizontal-pod-autoscaler';
  }
  if (Object.hasOwn(readings, manager)) return readings[manager] ?? manager;
  if (manager === 'kubectl') return operation === 'Apply' ? 'kubectl apply --server-side' : manager;
  return isKubectl ? `kubectl ${manager.slice('kubectl-'.length)}` : manager;
}
