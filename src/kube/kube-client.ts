import type { JsonObject, JsonValue } from '../model/json.ts';

export interface KubeRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the server's address: '/api/v1/namespaces/shop/configmaps/web'. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** 'application/json' unless given. */
  readonly contentType?: string;
  /** 'application/json' unless given. */
  readonly accept?: string;
  readonly signal: AbortSignal;
  /** For all tries together; the client's own unless given. */
  readonly deadlineMs?: number;
}

export interface KubeResponse {
  readonly status: number;
  readonly body: JsonValue;
  /** The texts of the server's Warning headers. */
  readonly warnings: readonly string[];
}

export interface KubeStreamRequest extends KubeRequest {
  /** A stream that carries nothing for so long is cut: FleetError ClusterUnreachable. */
  readonly silenceMs: number;
  /** Called when the server has accepted the stream, perhaps long before its first object. */
  readonly onOpen?: () => void;
}

export interface KubeCounters {
  /** Requests put on the wire, each try counted, streams included. */
  readonly requests: number;
  readonly retries: number;
  readonly streams: number;
}

/** Speaks to one API server. Everything it throws is a FleetError that names the cluster, or the reason of the signal. */
export interface KubeClient {
  readonly cluster: string;
  /**
   * Resolves for a 2xx. GET, server-side apply and DELETE with a precondition are tried again after a lost
   * connection, anything after a 429; each try waits longer and none outlives the deadline. After a 401 the
   * credentials are renewed once. Codes: status-error.ts and network-error.ts.
   */
  request(request: KubeRequest): Promise<KubeResponse>;
  /** The objects of a watch as they come. Ends when the server ends it; throws otherwise. Never tried again here. */
  stream(request: KubeStreamRequest): AsyncIterable<JsonObject>;
  counters(): KubeCounters;
  close(): Promise<void>;
}
