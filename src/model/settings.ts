/** What to do with drift: put it right, only tell, or neither. */
export type DriftPolicy = 'correct' | 'report' | 'ignore';

/**
 * More deletions than this are held: more than `count` objects, or more than `percent` of the owned objects
 * and at least `minimum` of them.
 */
export interface PruneLimit {
  readonly count: number;
  readonly percent: number;
  readonly minimum: number;
}

export interface SyncPolicy {
  readonly drift: DriftPolicy;
  readonly prune: boolean;
  readonly pruneLimit: PruneLimit;
}

export const defaultPruneLimit: PruneLimit = { count: 25, percent: 20, minimum: 5 };

/** Where a secret comes from; never the secret itself. */
export interface GitAuth {
  readonly username?: string;
  /** Path of a file whose trimmed content is the token or password; read at each use, so that it may rotate. */
  readonly tokenFile: string;
}

/** Files that an ssh:// server is spoken to with, as absolute paths; what is not named is as the user's own ssh has it. */
export interface SshAuth {
  /** Without a passphrase. No other key is offered. */
  readonly privateKeyFile?: string;
  /** The host keys that are trusted, and no others. */
  readonly knownHostsFile?: string;
}

/** The Git that is part of Fleetwright, the `git` on PATH, or the first with the second where the first cannot. */
export type GitBackend = 'auto' | 'embedded' | 'native';

export interface GitSourceSettings {
  /** https://, http://, ssh://, git://, git@host:path or an absolute path of a repository on this machine. */
  readonly url: string;
  /** A branch, a tag, a full ref name or a full commit id. */
  readonly ref: string;
  /** Folder in the repository that holds clusters/ and generators/; '' is the root. */
  readonly path: string;
  readonly intervalMs: number;
  /** A node-cron expression that replaces the interval. */
  readonly schedule?: string;
  readonly auth?: GitAuth;
  readonly ssh?: SshAuth;
  /** auto unless set. */
  readonly backend?: GitBackend;
  /** What one fetch may bring, as the server packs it; unless set, what the backend can take. */
  readonly maxPackBytes?: number;
  /** Larger files are not read. */
  readonly maxFileBytes?: number;
}

export type ClusterSource =
  | { readonly kind: 'kubeconfig'; readonly path: string; readonly contexts?: readonly string[] }
  | { readonly kind: 'directory'; readonly path: string };

/** Absolute paths of the programs that render; those that are not named are looked for on PATH. */
export interface ToolPaths {
  readonly kustomize?: string;
  /** Has a kustomize built in, which is used where no kustomize is named or found. */
  readonly kubectl?: string;
  readonly helm?: string;
}

/** The engine's settings: kind Fleet, with every default filled in and every path absolute. */
export interface FleetSettings {
  readonly name: string;
  readonly source: GitSourceSettings;
  readonly clusters: readonly ClusterSource[];
  /** Clusters written in the settings file itself. */
  readonly inlineClusters: readonly Cluster[];
  readonly sync: SyncPolicy;
  readonly labelGraceMs: number;
  readonly server: { readonly host: string; readonly port: number };
  readonly stateDir: string;
  readonly tools: ToolPaths;
}

/** A registered cluster. Its labels are the registry's alone until Git's cluster.yaml is merged in. */
export interface Cluster {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly connection: ClusterConnection;
  /** Absolute path of its API server's audit log, as JSON lines; without it nobody can tell who deleted what. */
  readonly audit?: { readonly path: string };
}

export interface ClusterConnection {
  readonly kind: 'kubeconfig';
  readonly path: string;
  /** The file's current context unless named. */
  readonly context?: string;
}
