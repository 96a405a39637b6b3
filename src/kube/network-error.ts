import { FleetError } from '../model/fleet-error.ts';

/** What Node's and undici's codes mean for a person. Any other is shown as it is. */
const meanings: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name of the API server does not resolve',
  EAI_AGAIN: 'the name of the API server does not resolve at the moment',
  ECONNREFUSED: 'nothing listens at the address of the API server',
  ECONNRESET: 'the API server or something before it cut the connection',
  EPIPE: 'the API server or something before it cut the connection',
  EHOSTUNREACH: 'there is no route to the API server',
  ENETUNREACH: 'there is no route to the network of the API server',
  ETIMEDOUT: 'the API server does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'no connection to the API server came about in time',
  UND_ERR_HEADERS_TIMEOUT: 'the API server did not begin to answer in time',
  UND_ERR_BODY_TIMEOUT: 'the API server fell silent',
  UND_ERR_SOCKET: 'the API server or something before it cut the connection',
  CERT_HAS_EXPIRED: "the API server's certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the API server's certificate is self-signed and not the CA of the kubeconfig",
  SELF_SIGNED_CERT_IN_CHAIN: "the API server's certificate comes from a CA that the kubeconfig does not name",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "the API server's certificate comes from a CA that the kubeconfig does not name",
  ERR_TLS_CERT_ALTNAME_INVALID: "the API server's certificate is for another name",
};

/** Any fault on the way to an API server and back: name, network, TLS, a cut connection. */
export function networkError(thrown: unknown): FleetError {
  if (thrown instanceof FleetError) return thrown;
  const code = codeOf(thrown);
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const told = code === undefined ? message : `${meanings[code] ?? message} (${code})`;
  return new FleetError('ClusterUnreachable', told, { cause: thrown });
}

function codeOf(thrown: unknown): string | undefined {
  // Several addresses of one name that all fail arrive as one AggregateError.
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return codeOf(thrown.errors[0]);
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string'
    ? thrown.code
    : undefined;
}
