import { expect } from 'chai';
import { type JsonObject, valueAt } from '../../../../src/model/json.ts';
import { nextPodStep, type PodStepOptions } from '../../../../src/local/control-plane/simulated-node/pod-step.ts';

const now = new Date('2026-01-02T03:04:05Z');
const options: PodStepOptions = {
  nodeName: 'node-1',
  nodeLabels: { 'kubernetes.io/os': 'linux' },
  podIp: '10.244.0.7',
  hostIp: '10.0.1.1',
  jobDurationMs: 1_000,
  now,
};

describe('nextPodStep', () => {
  it('binds a Pod that has no node yet', () => {
    expect(nextPodStep(pod({ spec: { nodeName: '' } }), options)).to.deep.equal({ kind: 'bind' });
  });

  it('leaves alone what another scheduler, another node or a gate has', () => {
    const others = [
      pod({ spec: { nodeName: '', schedulerName: 'mine' } }),
      pod({ spec: { nodeName: 'node-2' } }),
      pod({ spec: { nodeName: '', schedulingGates: [{ name: 'wait' }] } }),
    ];
    expect(others.map((other) => nextPodStep(other, options).kind)).to.deep.equal(['none', 'none', 'none']);
  });

  it('says once that no node matches the selector', () => {
    const picky = pod({ spec: { nodeName: '', nodeSelector: { gpu: 'yes' } } });
    const reported = statusAfter(picky);
    expect(valueAt(reported, 'conditions')).to.deep.include.members([
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'Unschedulable',
        message: '0/1 nodes are available: 1 node(s) did not match the node selector.',
        lastTransitionTime: '2026-01-02T03:04:05Z',
      },
    ]);
    expect(nextPodStep({ ...picky, status: reported }, options)).to.deep.equal({ kind: 'none' });
  });

  it('makes a bound Pod ready, and has then nothing more to do', () => {
    const status = statusAfter(pod({}));
    expect(status).to.deep.include({ phase: 'Running', podIP: '10.244.0.7' });
    expect(isReady(status)).to.equal(true);
    expect(nextPodStep(pod({ status }), options)).to.deep.equal({ kind: 'none' });
  });

  it('completes init containers and keeps sidecars running', () => {
    const initContainers = [
      { name: 'migrate', image: 'migrate' },
      { name: 'proxy', image: 'proxy', restartPolicy: 'Always' },
    ];
    const status = statusAfter(pod({ spec: { initContainers } }));
    expect(statesOf(status, 'initContainerStatuses')).to.deep.equal(['terminated', 'running']);
    expect(isReady(status)).to.equal(true);
  });

  it('starts no container while an init container waits for its image', () => {
    const status = statusAfter(pod({ spec: { initContainers: [{ name: 'migrate', image: 'missing' }] } }));
    expect(status).to.include({ phase: 'Pending' });
    expect(statesOf(status, 'containerStatuses')).to.deep.equal(['waiting']);
  });

  it('reports anew when the image of a running container changes', () => {
    const running = pod({ status: statusAfter(pod({})) });
    const changed = { ...running, spec: { ...specOf(running), containers: [{ name: 'main', image: 'missing' }] } };
    expect(statusAfter(changed)).to.include({ phase: 'Pending' });
  });

  it('holds readiness back until every gate is open', () => {
    const gated = { readinessGates: [{ conditionType: 'example.com/ready' }] };
    const closed = statusAfter(pod({ spec: gated }));
    expect(isReady(closed)).to.equal(false);
    const conditions = [...(closed['conditions'] as JsonObject[]), { type: 'example.com/ready', status: 'True' }];
    expect(isReady(statusAfter(pod({ spec: gated, status: { ...closed, conditions } })))).to.equal(true);
  });

  it('runs a Pod of a Job for a while, then lets it succeed', () => {
    const ofJob = { ownerReferences: [{ kind: 'Job', name: 'once' }] };
    const running = statusAfter(pod({ metadata: ofJob }));
    expect(running).to.include({ phase: 'Running' });
    expect(nextPodStep(pod({ metadata: ofJob, status: running }), options)).to.deep.equal({ kind: 'wait', againInMs: 1_000 });

    const later = { ...options, now: new Date(now.getTime() + 1_000) };
    const step = nextPodStep(pod({ metadata: ofJob, status: running }), later);
    expect(step).to.have.nested.include({ kind: 'report', 'status.phase': 'Succeeded' });
  });

  it('finishes the deletion of its Pods once', () => {
    const deletionTimestamp = '2026-01-02T03:04:35Z';
    const deleting = pod({ metadata: { deletionTimestamp, deletionGracePeriodSeconds: 30 } });
    expect(nextPodStep(deleting, options)).to.deep.equal({ kind: 'finishDeletion' });
    const finished = pod({ metadata: { deletionTimestamp, deletionGracePeriodSeconds: 0 } });
    expect(nextPodStep(finished, options)).to.deep.equal({ kind: 'none' });
  });
});

interface PodParts {
  readonly metadata?: JsonObject;
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
}

/** A Pod bound to node-1, with one container, and what the test wants different. */
function pod({ metadata = {}, spec = {}, status = {} }: PodParts): JsonObject {
  return {
    metadata: { name: 'web', namespace: 'shop', ...metadata },
    spec: {
      nodeName: 'node-1',
      schedulerName: 'default-scheduler',
      containers: [{ name: 'main', image: 'nginx' }],
      ...spec,
    },
    status,
  };
}

function statusAfter(subject: JsonObject): JsonObject {
  const step = nextPodStep(subject, options);
  if (step.kind !== 'report') throw new Error(`expected a report, got ${step.kind}`);
  return step.status;
}

function specOf(subject: JsonObject): JsonObject {
  return subject['spec'] as JsonObject;
}

function isReady(status: JsonObject): boolean {
  return (status['conditions'] as JsonObject[]).some((item) => item['type'] === 'Ready' && item['status'] === 'True');
}

function statesOf(status: JsonObject, list: string): string[] {
  return (status[list] as JsonObject[]).flatMap((container) => Object.keys(container['state'] as JsonObject));
}
