import { expect } from 'chai';
import type { KubeClient } from '../../../src/kube/kube-client.ts';
import { conflictsOf } from '../../../src/kube/status-error.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import type { ControlPlane } from '../../../src/local/control-plane/start-control-plane.ts';
import { sharedControlPlane, uniqueNamespace } from '../../harness/control-plane.ts';
import { apply, configMap, connectTo, createNamespace, deadline, errorOf } from './kube-fixture.ts';

describe('what a real API server refuses', () => {
  let controlPlane: ControlPlane;
  let client: KubeClient;
  let namespace: string;
  before(async () => {
    controlPlane = await sharedControlPlane();
    client = await connectTo(controlPlane.kubeconfigPath);
    namespace = await createNamespace(controlPlane);
  });

  const refused = async (object: JsonObject, by: KubeClient = client) => {
    const { code, message, retry } = await errorOf(apply(by, object));
    return { code, message, retry };
  };
  const metadata = (name: string) => ({ namespace, name });

  it('an unknown field', async () => {
    const error = await refused({ ...configMap(namespace, 'a'), dota: { a: '1' } });
    expect(error).to.include({ code: 'ObjectInvalid', retry: 'never' });
    expect(error.message).to.include('.dota: field not declared in schema');
  });

  it('a value of the wrong type', async () => {
    expect(await refused(configMap(namespace, 'a', { a: 1 }))).to.include({
      code: 'ObjectInvalid',
      retry: 'never',
    });
  });

  it('an item that is there twice', async () => {
    const env = [
      { name: 'A', value: '1' },
      { name: 'A', value: '2' },
    ];
    const spec = { containers: [{ name: 'web', image: 'example.com/web:1', env }] };
    const error = await refused({ apiVersion: 'v1', kind: 'Pod', metadata: metadata('twice'), spec });
    expect(error.code).to.equal('ObjectInvalid');
    expect(error.message).to.include('duplicate entries for key [name="A"]');
  });

  it('an invalid object, every cause told', async () => {
    const ports = [{ port: 99_999, name: '_x' }];
    const error = await refused({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: metadata('many'),
      spec: { ports },
    });
    expect(error.code).to.equal('ObjectInvalid');
    expect(error.message).to.match(
      /^3 faults: spec\.ports\[0\]\.name: .*; spec\.ports\[0\]\.port: .*; spec\.ports\[0\]\.targetPort: /,
    );
  });

  it('a change of an immutable field', async () => {
    const frozen = (data: JsonObject) => ({ ...configMap(namespace, 'frozen', data), immutable: true });
    await apply(client, frozen({ a: '1' }));
    expect(await refused(frozen({ a: '2' }))).to.include({ code: 'FieldImmutable', retry: 'never' });
  });

  it('a changed Job template, without quoting all of it', async () => {
    const job = (image: string): JsonObject => {
      const env = Array.from({ length: 40 }, (_, index) => ({
        name: `VARIABLE_${index}`,
        value: 'x'.repeat(40),
      }));
      const spec = { restartPolicy: 'Never', containers: [{ name: 'main', image, env }] };
      return {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: metadata('job'),
        spec: { suspend: true, template: { spec } },
      };
    };
    await apply(client, job('example.com/a:1'));
    const error = await refused(job('example.com/a:2'));
    expect(error.code).to.equal('FieldImmutable');
    expect(error.message).to.match(/^spec\.template.*: Invalid value: .*…: field is immutable$/s);
    expect(error.message.length).to.be.lessThan(600);
  });

  it('a namespace that does not exist', async () => {
    const error = await refused(configMap('nowhere', 'a'));
    expect(error).to.include({
      code: 'DependencyFailed',
      message: 'namespaces "nowhere" not found',
      retry: 'soon',
    });
  });

  it('a namespace that is being deleted', async () => {
    const doomed = await createNamespace(controlPlane);
    await apply(client, {
      ...configMap(doomed, 'holds'),
      metadata: { namespace: doomed, name: 'holds', finalizers: ['example.com/hold'] },
    });
    await client.request({ method: 'DELETE', path: `/api/v1/namespaces/${doomed}`, signal: deadline() });
    expect(await refused(configMap(doomed, 'late'))).to.include({
      code: 'NamespaceTerminating',
      retry: 'soon',
    });
    await apply(client, { ...configMap(doomed, 'holds'), metadata: { namespace: doomed, name: 'holds' } });
  });

  it('fields of another manager without force, naming both', async () => {
    await apply(client, configMap(namespace, 'shared', { a: 'ours', b: 'ours' }));
    await client.request({
      method: 'PATCH',
      path: `/api/v1/namespaces/${namespace}/configmaps/shared`,
      query: { fieldManager: 'kubectl-edit' },
      body: { data: { a: 'theirs' } },
      contentType: 'application/merge-patch+json',
      signal: deadline(),
    });
    const error = await errorOf(
      apply(client, configMap(namespace, 'shared', { a: 'ours', b: 'ours' }), { force: false }),
    );
    expect(error.code).to.equal('OwnershipConflict');
    expect(conflictsOf(error)).to.deep.equal([{ manager: 'kubectl-edit', field: '.data.a' }]);
  });

  it('somebody without rights', async () => {
    const nobody = await connectTo(await controlPlane.issueClient('nobody', [], 3_600_000));
    const error = await errorOf(
      nobody.request({ method: 'GET', path: `/api/v1/namespaces/${namespace}/secrets`, signal: deadline() }),
    );
    expect(error).to.include({ code: 'Forbidden', retry: 'interval' });
    expect(error.message).to.include('User "nobody" cannot list resource "secrets"');
    expect(error.subject).to.deep.equal({ cluster: 'tested' });
  });

  it('more than a quota allows, as an admission and not as a missing right', async () => {
    const full = await createNamespace(controlPlane);
    await apply(client, {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { namespace: full, name: 'none' },
      spec: { hard: { configmaps: '0' } },
    });
    const error = await refused(configMap(full, 'a'));
    expect(error.code).to.equal('AdmissionDenied');
    expect(error.message).to.match(/quota|forbidden/);
  });

  it('what a policy denies, and what a webhook that is away should have judged', async () => {
    const denied = await createNamespace(controlPlane);
    const name = uniqueNamespace('webhook');
    const selector = { matchLabels: { 'kubernetes.io/metadata.name': denied } };
    await apply(client, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name },
      webhooks: [
        {
          name: 'away.example.com',
          clientConfig: { url: 'https://127.0.0.1:1/' },
          rules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
          ],
          namespaceSelector: selector,
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          failurePolicy: 'Fail',
        },
      ],
    });
    await apply(client, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['serviceaccounts'] },
          ],
        },
        validations: [{ expression: 'false', message: 'no accounts here' }],
      },
    });
    await apply(client, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: {
        policyName: name,
        validationActions: ['Deny'],
        matchResources: { namespaceSelector: selector },
      },
    });
    // Both take effect a moment after they are accepted.
    const account = (index: number) => ({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { namespace: denied, name: `a${index}` },
    });
    const byWebhook = await untilRefused((index) => apply(client, configMap(denied, `a${index}`)));
    expect(byWebhook.code).to.equal('AdmissionDenied');
    expect(byWebhook.message).to.include('away.example.com');
    const byPolicy = await untilRefused((index) => apply(client, account(index)));
    expect(byPolicy.code).to.equal('AdmissionDenied');
    expect(byPolicy.message).to.include('no accounts here');
  });

  it('a Secret, without its values in the message', async () => {
    const secret = (content: JsonObject): JsonObject => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: metadata('secret'),
      ...content,
    });
    for (const content of [
      { data: { a: { b: 'hunter2-nested' } } },
      { data: { a: 'hunter2-nested' } },
      { stringData: { a: 12_345_678 } },
      { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': 'hunter2-nested' } },
      { stringData: { a: 'x' }, type: 'hunter2 is a bad type', data: { 'bad key': 'aHVudGVyMi1uZXN0ZWQ=' } },
    ] as JsonObject[]) {
      const error = await refused(secret(content));
      expect(error.code).to.equal('ObjectInvalid');
      expect(error.message).to.not.match(/hunter2-nested|12345678|aHVudGVyMi1uZXN0ZWQ/);
    }
  });
});

/** The first refusal of a create that is tried under one new name after another. */
async function untilRefused(create: (index: number) => Promise<unknown>) {
  const signal = deadline();
  for (let index = 0; ; index += 1) {
    const refusal = await create(index).then(
      () => undefined,
      (error: unknown) => errorOf(Promise.reject(error as Error)),
    );
    if (refusal !== undefined) return refusal;
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
