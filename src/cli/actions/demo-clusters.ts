/** The clusters of the demo, as the example fleet knows them; more than three are further stores at the edge. */
export interface DemoCluster {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

const known: readonly DemoCluster[] = [
  { name: 'shanghai-prod', labels: { env: 'production', region: 'cn-east' } },
  { name: 'beijing-staging', labels: { env: 'staging', region: 'cn-north' } },
  { name: 'hangzhou-edge', labels: { env: 'edge', region: 'cn-east' } },
];

/** The first `count` clusters. */
export function demoClusters(count: number): DemoCluster[] {
  return Array.from({ length: count }, (_, index) => {
    return known[index] ?? { name: `store-${index + 1}-edge`, labels: { env: 'edge', region: 'cn-north' } };
  });
}
