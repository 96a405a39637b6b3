/** When it is worth trying again: at once with backoff, at the next interval, or never without a change. */
export type Retry = 'soon' | 'interval' | 'never';

interface ErrorCodeEntry {
  readonly retry: Retry;
  /** The HTTP status with which the server's API reports it. */
  readonly httpStatus: number;
  readonly meaning: string;
  readonly remedy: string;
}

/** Every code with what it means and what a person can do. docs/errors.md is made from this table. */
export const errorCodes = {
  ConfigInvalid: {
    retry: 'never',
    httpStatus: 422,
    meaning: 'The settings, a Generator or a Cluster cannot be read.',
    remedy: 'Mend the file at the position given; `fleetwright validate` lists every such fault.',
  },
  ManifestInvalid: {
    retry: 'never',
    httpStatus: 422,
    meaning: 'A manifest in Git cannot be read as a Kubernetes object.',
    remedy: 'Mend the file at the position given. Nothing of this cluster is pruned until then.',
  },
  RenderFailed: {
    retry: 'never',
    httpStatus: 422,
    meaning: 'A generator could not be rendered for a cluster.',
    remedy: 'Mend the source, parameters or patches named in the message.',
  },
  FactsUnknown: {
    retry: 'soon',
    httpStatus: 503,
    meaning:
      'What is rendered depends on the cluster’s version or API groups, and the cluster was never reached.',
    remedy:
      'Nothing: it is rendered as soon as the cluster answers. Commands that speak to no cluster know it after the first sync.',
  },
  GitUnavailable: {
    retry: 'interval',
    httpStatus: 503,
    meaning: 'The Git server did not answer, or answered with something else than Git.',
    remedy: 'Check the URL and the network. The last good revision stays in force meanwhile.',
  },
  GitUnauthorized: {
    retry: 'interval',
    httpStatus: 502,
    meaning: 'The Git server refused the credentials.',
    remedy: 'Renew the token named in source.auth.',
  },
  GitRefNotFound: {
    retry: 'interval',
    httpStatus: 404,
    meaning: 'The repository has no such branch, tag or commit.',
    remedy: 'Check source.ref. The last good revision stays in force meanwhile.',
  },
  RevisionUntrusted: {
    retry: 'never',
    httpStatus: 409,
    meaning: 'The revision is not signed by a trusted key.',
    remedy: 'Sign the commit, or add the key to those trusted.',
  },
  ClusterUnreachable: {
    retry: 'soon',
    httpStatus: 503,
    meaning: 'The API server cannot be reached: name, network, TLS or time.',
    remedy: 'Check the network path; nothing of the cluster is forgotten and it catches up by itself.',
  },
  ServerFailed: {
    retry: 'soon',
    httpStatus: 502,
    meaning: 'The API server answered, but failed at this request.',
    remedy: 'Look at the server’s own log; for one kind alone, at its conversion webhook or aggregated API.',
  },
  ClusterUnauthorized: {
    retry: 'interval',
    httpStatus: 502,
    meaning: 'The API server does not accept our credentials.',
    remedy: 'Renew the kubeconfig or its token.',
  },
  Forbidden: {
    retry: 'interval',
    httpStatus: 403,
    meaning: 'The API server knows us, but forbids this.',
    remedy: 'Grant the verb on the resource named in the message.',
  },
  ObjectInvalid: {
    retry: 'never',
    httpStatus: 422,
    meaning: 'The API server refuses the object: a field is unknown, missing or wrong.',
    remedy: 'Mend the manifest; the message lists every cause.',
  },
  FieldImmutable: {
    retry: 'never',
    httpStatus: 409,
    meaning: 'The change touches a field that cannot be changed in place.',
    remedy:
      'Undo it, or annotate the object with fleetwright.dev/apply: replace to delete and create it anew.',
  },
  ApplyConflict: {
    retry: 'soon',
    httpStatus: 409,
    meaning: 'The object changed while it was being written.',
    remedy: 'Nothing: it is tried again.',
  },
  OwnershipConflict: {
    retry: 'interval',
    httpStatus: 409,
    meaning: 'The object exists and belongs to another tool, or to nobody and differs from Git.',
    remedy: 'Remove it from the other owner, or approve taking it over.',
  },
  KindUnknown: {
    retry: 'interval',
    httpStatus: 404,
    meaning: 'The cluster serves no such kind.',
    remedy: 'Commit its CustomResourceDefinition or install the operator that brings it.',
  },
  NamespaceTerminating: {
    retry: 'soon',
    httpStatus: 409,
    meaning: 'The namespace is being deleted.',
    remedy: 'Wait; the object is created when the namespace is back.',
  },
  AdmissionDenied: {
    retry: 'interval',
    httpStatus: 403,
    meaning: 'An admission webhook or policy refused the object, or did not answer.',
    remedy: 'Read the policy’s message; mend the manifest or the webhook.',
  },
  RateLimited: {
    retry: 'soon',
    httpStatus: 429,
    meaning: 'The server asks for fewer requests.',
    remedy: 'Nothing: the wait that it asks for is kept.',
  },
  DeadlineExceeded: {
    retry: 'soon',
    httpStatus: 504,
    meaning: 'Something took longer than its deadline.',
    remedy: 'Look for an overloaded server or a slow webhook.',
  },
  DependencyFailed: {
    retry: 'soon',
    httpStatus: 409,
    meaning: 'Something that this depends on failed.',
    remedy: 'Mend what the message names; this follows by itself.',
  },
  PruneHeld: {
    retry: 'never',
    httpStatus: 409,
    meaning: 'A deletion is held until a person approves it.',
    remedy: 'Check what would be deleted and run the `fleetwright approve` command that is shown.',
  },
  Internal: {
    retry: 'interval',
    httpStatus: 500,
    meaning: 'A fault of Fleetwright itself.',
    remedy: 'Please report it with the log around it.',
  },
} as const satisfies Record<string, ErrorCodeEntry>;

export type ErrorCode = keyof typeof errorCodes;
