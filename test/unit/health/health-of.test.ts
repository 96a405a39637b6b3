import { expect } from 'chai';
import fc from 'fast-check';
import { healthOf } from '../../../src/health/health-of.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/model/json.ts';

interface Case {
  readonly title: string;
  readonly live: JsonObject;
  /** 'healthy', or the state and a part of the reason. */
  readonly gives: string | readonly [state: string, reason: string];
}

function object(kind: string, parts: JsonObject): JsonObject {
  const [name = '', group = ''] = kind.split(/\.(.*)/s);
  const apiVersion = group === '' ? 'v1' : `${group}/v1`;
  return { apiVersion, kind: name, metadata: { name: 'x', generation: 2 }, ...parts };
}

function condition(type: string, status: string, reason = '', message = ''): JsonObject {
  return { type, status, reason, message };
}

function deployment(replicas: number, status: JsonObject): JsonObject {
  return object('Deployment.apps', { spec: { replicas }, status: { observedGeneration: 2, ...status } });
}

const rolledOut = { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 };
const seen = { observedGeneration: 2 };

function pod(status: JsonObject): JsonObject {
  return object('Pod', { spec: {}, status });
}

const cases: readonly Case[] = [
  { title: 'a Deployment rolled out', live: deployment(2, rolledOut), gives: 'healthy' },
  { title: 'a Deployment of 0 replicas', live: deployment(0, {}), gives: 'healthy' },
  {
    title: 'a Deployment that no controller has seen',
    live: object('Deployment.apps', { spec: { replicas: 0 } }),
    gives: ['progressing', 'no controller'],
  },
  {
    title: 'a Deployment whose controller has seen an older spec',
    live: deployment(2, { ...rolledOut, observedGeneration: 1 }),
    gives: ['progressing', 'generation 1 of 2'],
  },
  {
    title: 'a Deployment that is updating',
    live: deployment(2, { ...rolledOut, updatedReplicas: 1 }),
    gives: ['progressing', '1 of 2 replicas are updated'],
  },
  {
    title: 'a Deployment with old pods left',
    live: deployment(2, { ...rolledOut, replicas: 3 }),
    gives: ['progressing', '1 old replicas'],
  },
  {
    title: 'a Deployment that is not available',
    live: deployment(2, { ...rolledOut, availableReplicas: 0 }),
    gives: ['progressing', '0 of 2 replicas are available'],
  },
  {
    title: 'a Deployment past its progress deadline',
    live: deployment(2, {
      ...rolledOut,
      conditions: [condition('Progressing', 'False', 'ProgressDeadlineExceeded', 'ReplicaSet has timed out')],
    }),
    gives: ['degraded', 'timed out'],
  },
  {
    title: 'a Deployment stopped by a quota',
    live: deployment(2, {
      conditions: [condition('ReplicaFailure', 'True', 'FailedCreate', 'exceeded quota: small')],
    }),
    gives: ['degraded', 'exceeded quota: small'],
  },
  {
    title: 'a StatefulSet that is ready',
    live: object('StatefulSet.apps', {
      spec: { replicas: 2 },
      status: { ...seen, replicas: 2, readyReplicas: 2, updatedReplicas: 2 },
    }),
    gives: 'healthy',
  },
  {
    title: 'a StatefulSet that is updating',
    live: object('StatefulSet.apps', {
      spec: { replicas: 2 },
      status: {
        ...seen,
        replicas: 2,
        readyReplicas: 2,
        updatedReplicas: 1,
        currentRevision: 'a',
        updateRevision: 'b',
      },
    }),
    gives: ['progressing', '1 of 2 replicas are updated'],
  },
  {
    title: 'a StatefulSet that its partition holds back',
    live: object('StatefulSet.apps', {
      spec: { replicas: 2, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } },
      status: {
        ...seen,
        replicas: 2,
        readyReplicas: 2,
        updatedReplicas: 1,
        currentRevision: 'a',
        updateRevision: 'b',
      },
    }),
    gives: 'healthy',
  },
  {
    title: 'a StatefulSet that updates on delete',
    live: object('StatefulSet.apps', {
      spec: { replicas: 1, updateStrategy: { type: 'OnDelete' } },
      status: {
        ...seen,
        replicas: 1,
        readyReplicas: 1,
        updatedReplicas: 0,
        currentRevision: 'a',
        updateRevision: 'b',
      },
    }),
    gives: 'healthy',
  },
  {
    title: 'a DaemonSet without nodes',
    live: object('DaemonSet.apps', { spec: {}, status: { ...seen, desiredNumberScheduled: 0 } }),
    gives: 'healthy',
  },
  {
    title: 'a DaemonSet that is updating',
    live: object('DaemonSet.apps', {
      spec: {},
      status: { ...seen, desiredNumberScheduled: 3, updatedNumberScheduled: 1, numberAvailable: 3 },
    }),
    gives: ['progressing', '1 of 3 nodes'],
  },
  {
    title: 'a ReplicaSet that may not create pods',
    live: object('ReplicaSet.apps', {
      spec: {},
      status: { ...seen, conditions: [condition('ReplicaFailure', 'True', 'FailedCreate', 'forbidden')] },
    }),
    gives: ['degraded', 'forbidden'],
  },
  {
    title: 'a Job that is complete',
    live: object('Job.batch', { spec: {}, status: { conditions: [condition('Complete', 'True')] } }),
    gives: 'healthy',
  },
  {
    title: 'a Job that failed',
    live: object('Job.batch', {
      spec: {},
      status: { conditions: [condition('Failed', 'True', 'BackoffLimitExceeded', 'too often')] },
    }),
    gives: ['degraded', 'BackoffLimitExceeded: too often'],
  },
  {
    title: 'a Job at work',
    live: object('Job.batch', { spec: { completions: 3 }, status: { succeeded: 1, failed: 2 } }),
    gives: ['progressing', '1 of 3 completions, 2 failed pods'],
  },
  {
    title: 'a Job that is suspended',
    live: object('Job.batch', { spec: { suspend: true }, status: {} }),
    gives: ['suspended', 'spec.suspend'],
  },
  { title: 'a CronJob', live: object('CronJob.batch', { spec: {} }), gives: 'healthy' },
  {
    title: 'a CronJob that is suspended',
    live: object('CronJob.batch', { spec: { suspend: true } }),
    gives: ['suspended', 'spec.suspend'],
  },
  {
    title: 'a Pod that is ready',
    live: pod({ phase: 'Running', conditions: [condition('Ready', 'True')] }),
    gives: 'healthy',
  },
  {
    title: 'a Pod that no node can take',
    live: pod({
      phase: 'Pending',
      conditions: [condition('PodScheduled', 'False', 'Unschedulable', '0/3 nodes are available')],
    }),
    gives: ['degraded', '0/3 nodes'],
  },
  {
    title: 'a Pod whose image cannot be pulled',
    live: pod({
      phase: 'Pending',
      containerStatuses: [
        { name: 'web', state: { waiting: { reason: 'ImagePullBackOff', message: 'no such tag' } } },
      ],
    }),
    gives: ['degraded', 'container web: ImagePullBackOff: no such tag'],
  },
  {
    title: 'a Pod that crashes again and again',
    live: pod({
      phase: 'Running',
      containerStatuses: [
        {
          name: 'web',
          restartCount: 4,
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } },
        },
      ],
    }),
    gives: ['degraded', 'OOMKilled, exit code 137, 4 restarts'],
  },
  {
    title: 'a Pod that is being set up',
    live: pod({
      phase: 'Pending',
      containerStatuses: [{ name: 'web', state: { waiting: { reason: 'ContainerCreating' } } }],
    }),
    gives: ['progressing', 'ContainerCreating'],
  },
  {
    title: 'a Pod that was evicted',
    live: pod({ phase: 'Failed', reason: 'Evicted', message: 'the node was low on memory' }),
    gives: ['degraded', 'Evicted: the node was low on memory'],
  },
  {
    title: 'a claim that waits for a volume',
    live: object('PersistentVolumeClaim', {
      spec: { storageClassName: 'fast' },
      status: { phase: 'Pending' },
    }),
    gives: ['progressing', 'storage class fast'],
  },
  {
    title: 'a claim that is bound',
    live: object('PersistentVolumeClaim', { spec: {}, status: { phase: 'Bound' } }),
    gives: 'healthy',
  },
  {
    title: 'a claim whose volume is lost',
    live: object('PersistentVolumeClaim', { spec: { volumeName: 'pv-1' }, status: { phase: 'Lost' } }),
    gives: ['degraded', 'pv-1'],
  },
  { title: 'a Service with a cluster address', live: object('Service', { spec: {} }), gives: 'healthy' },
  {
    title: 'a load balancer without an address',
    live: object('Service', { spec: { type: 'LoadBalancer' }, status: { loadBalancer: {} } }),
    gives: ['progressing', 'no address'],
  },
  {
    title: 'an Ingress with an address',
    live: object('Ingress.networking.k8s.io', {
      status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
    }),
    gives: 'healthy',
  },
  {
    title: 'an autoscaler that cannot read metrics',
    live: object('HorizontalPodAutoscaler.autoscaling', {
      status: {
        conditions: [
          condition('AbleToScale', 'True'),
          condition('ScalingActive', 'False', 'FailedGetResourceMetric', 'no metrics API'),
        ],
      },
    }),
    gives: ['degraded', 'no metrics API'],
  },
  {
    title: 'an autoscaler of a target with 0 replicas',
    live: object('HorizontalPodAutoscaler.autoscaling', {
      status: {
        conditions: [
          condition('AbleToScale', 'True'),
          condition('ScalingActive', 'False', 'ScalingDisabled'),
        ],
      },
    }),
    gives: 'healthy',
  },
  {
    title: 'a budget that too few pods meet',
    live: object('PodDisruptionBudget.policy', { status: { currentHealthy: 1, desiredHealthy: 2 } }),
    gives: ['progressing', '1 of 2 pods'],
  },
  {
    title: 'a definition that is served',
    live: object('CustomResourceDefinition.apiextensions.k8s.io', {
      status: { conditions: [condition('Established', 'True'), condition('NamesAccepted', 'True')] },
    }),
    gives: 'healthy',
  },
  {
    title: 'a definition whose names are taken',
    live: object('CustomResourceDefinition.apiextensions.k8s.io', {
      status: { conditions: [condition('NamesAccepted', 'False', 'PluralConflict', '"widgets" is in use')] },
    }),
    gives: ['degraded', 'PluralConflict'],
  },
  {
    title: 'an API service without endpoints',
    live: object('APIService.apiregistration.k8s.io', {
      status: { conditions: [condition('Available', 'False', 'MissingEndpoints', 'no endpoints')] },
    }),
    gives: ['degraded', 'no endpoints'],
  },
  {
    title: 'a Namespace',
    live: object('Namespace', { status: { phase: 'Active' } }),
    gives: 'healthy',
  },
  {
    title: 'a Namespace that cannot be emptied',
    live: object('Namespace', {
      metadata: { name: 'x', deletionTimestamp: '2026-05-01T10:00:00Z' },
      status: {
        phase: 'Terminating',
        conditions: [
          condition('NamespaceContentRemaining', 'True', 'SomeResourcesRemain', 'widgets.e.com has 1 left'),
        ],
      },
    }),
    gives: ['progressing', 'widgets.e.com has 1 left'],
  },
  {
    title: 'an object that a finalizer keeps',
    live: object('ConfigMap', {
      metadata: { name: 'x', deletionTimestamp: '2026-05-01T10:00:00Z', finalizers: ['e.com/x'] },
    }),
    gives: ['progressing', 'e.com/x'],
  },
  {
    title: 'a custom resource without conditions',
    live: object('Widget.e.com', { spec: {} }),
    gives: 'healthy',
  },
  {
    title: 'a custom resource that is ready',
    live: object('Widget.e.com', { status: { ...seen, conditions: [condition('Ready', 'True')] } }),
    gives: 'healthy',
  },
  {
    title: 'a custom resource that is not ready',
    live: object('Widget.e.com', {
      status: { conditions: [condition('Ready', 'False', 'Waiting', 'for a disk')] },
    }),
    gives: ['progressing', 'Waiting: for a disk'],
  },
  {
    title: 'a custom resource that is stalled although it was ready',
    live: object('Widget.e.com', {
      status: { conditions: [condition('Ready', 'True'), condition('Stalled', 'True', 'BadSpec')] },
    }),
    gives: ['degraded', 'BadSpec'],
  },
];

describe('healthOf', () => {
  for (const { title, live, gives } of cases) {
    const expected = typeof gives === 'string' ? gives : gives[0];
    it(`calls ${title} ${expected}`, () => {
      const health = healthOf(live);
      expect(health.state).to.equal(expected);
      if (typeof gives !== 'string') expect('reason' in health ? health.reason : '').to.include(gives[1]);
    });
  }

  it('puts a rule of the settings before its own', () => {
    const rules = new Map([['Widget.e.com', () => ({ state: 'degraded', reason: 'so it is' }) as const]]);
    expect(healthOf(object('Widget.e.com', {}), rules)).to.deep.equal({
      state: 'degraded',
      reason: 'so it is',
    });
  });

  it('answers for any status whatever', () => {
    const kinds = cases.map(({ live }) => [live['apiVersion'], live['kind']] as const);
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.jsonValue(),
        fc.jsonValue(),
        ([apiVersion, kind], spec, status) => {
          const live = { apiVersion, kind, metadata: { name: 'x' }, spec, status } as JsonValue;
          if (isJsonObject(live)) expect(healthOf(live)).to.have.property('state');
        },
      ),
    );
  });
});
