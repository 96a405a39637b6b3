import type { KubeClient } from '../kube/kube-client.ts';
import { FleetError } from '../model/fleet-error.ts';
import { arrayAt, type JsonObject, stringAt, valueAt } from '../model/json.ts';

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const establishWithinMs = 30_000;

/**
 * Waits until a CustomResourceDefinition that was just applied is Established, by a watch of that one object.
 * @param applied the server's answer to the apply.
 * @returns the kind it brings, as 'Widget.example.com', once established.
 * @throws FleetError ObjectInvalid with the server's reason when its names are not accepted, DeadlineExceeded after 30 s.
 */
export async function waitForDefinition(
  client: KubeClient,
  applied: JsonObject,
  signal: AbortSignal,
): Promise<string[]> {
  const name = stringAt(applied, 'metadata', 'name') ?? '';
  const kind = `${stringAt(applied, 'spec', 'names', 'kind') ?? ''}.${stringAt(applied, 'spec', 'group') ?? ''}`;
  if (isEstablished(applied)) return [kind];
  const events = client.stream({
    method: 'GET',
    path,
    query: {
      watch: '1',
      fieldSelector: `metadata.name=${name}`,
      resourceVersion: stringAt(applied, 'metadata', 'resourceVersion') ?? '0',
      timeoutSeconds: String(establishWithinMs / 1000),
    },
    signal,
    silenceMs: establishWithinMs,
  });
  for await (const event of events) {
    const object = valueAt(event, 'object');
    const refused = condition(object, 'NamesAccepted');
    if (stringAt(refused, 'status') === 'False') {
      throw new FleetError(
        'ObjectInvalid',
        `its names are not accepted: ${stringAt(refused, 'message') ?? ''}`,
      );
    }
    if (isEstablished(object)) return [kind];
  }
  throw new FleetError(
    'DeadlineExceeded',
    `the definition was not established within ${establishWithinMs / 1000} s`,
  );
}

function isEstablished(definition: unknown): boolean {
  return stringAt(condition(definition, 'Established'), 'status') === 'True';
}

function condition(object: unknown, type: string): unknown {
  return arrayAt(object, 'status', 'conditions').find((entry) => stringAt(entry, 'type') === type);
}
