import { discover, type Discovery, serverVersion } from '../kube/discovery.ts';
import type { KubeClient } from '../kube/kube-client.ts';
import type { ServerFacts } from '../model/server-facts.ts';
import { serverFactsOf } from './server-facts.ts';

/** What a cluster's API server serves, and what of it manifests may depend on. */
export interface KnownServer {
  readonly discovery: Discovery;
  readonly facts: ServerFacts;
}

/**
 * Asks an API server what it is and what it serves.
 * @param before what it said last, which is kept, as the very same object, where it says so again.
 * @throws FleetError when the server cannot be read.
 */
export async function learnServer(
  client: KubeClient,
  before: ServerFacts | undefined,
  signal: AbortSignal,
): Promise<KnownServer> {
  const [discovery, kubeVersion] = await Promise.all([
    discover(client, signal),
    serverVersion(client, signal),
  ]);
  const facts = serverFactsOf(discovery, kubeVersion, before);
  return { discovery, facts: before !== undefined && isSame(facts, before) ? before : facts };
}

/** Both were written by serverFactsOf, in its order. */
function isSame(a: ServerFacts, b: ServerFacts): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
