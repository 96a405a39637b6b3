import type { JsonObject } from '../../../model/json.ts';

/** Room for any number of simulated Pods. */
const resources = { cpu: '512', memory: '2Ti', pods: '10000', 'ephemeral-storage': '10Ti' };

/** The labels that a kubelet would set on its Node. */
export function nodeLabels(name: string): Readonly<Record<string, string>> {
  return { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' };
}

export function nodeObject(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { ...nodeLabels(name) } }, spec: {} };
}

/** Ready, with room. */
export function nodeStatus(name: string, hostIp: string, now: Date): JsonObject {
  const time = now.toISOString();
  const condition = (type: string, status: string, reason: string): JsonObject => ({
    type,
    status,
    reason,
    message: reason,
    lastHeartbeatTime: time,
    lastTransitionTime: time,
  });
  return {
    capacity: { ...resources },
    allocatable: { ...resources },
    addresses: [
      { type: 'InternalIP', address: hostIp },
      { type: 'Hostname', address: name },
    ],
    conditions: [
      condition('Ready', 'True', 'KubeletReady'),
      condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory'),
      condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure'),
      condition('PIDPressure', 'False', 'KubeletHasSufficientPID'),
    ],
  };
}
