import type { TemplateData } from '../../../../src/render/templates/template-data.ts';

/** Data of a cluster; `more` replaces parts of it. */
export function templateDataOf(more: Partial<TemplateData> = {}): TemplateData {
  return {
    cluster: {
      name: 'east',
      labels: { env: 'production', 'topology.kubernetes.io/region': 'cn' },
      annotations: {},
    },
    fleet: { name: 'acme' },
    params: { replicas: 2, image: 'nginx', ports: [80, 443], limits: { cpu: '500m', enabled: 'no' } },
    ...more,
  };
}

export const reached: TemplateData['cluster'] = {
  ...templateDataOf().cluster,
  version: '1.36',
  kubeVersion: 'v1.36.3',
  apiVersions: ['apps/v1', 'apps/v1/Deployment', 'v1'],
};
