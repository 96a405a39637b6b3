import type { DesiredState } from '../model/desired.ts';
import type { ImportFormat } from '../import/import-documents.ts';
import type { ImportOptions } from '../import/import-options.ts';
import type { FleetError } from '../model/fleet-error.ts';
import type { ImportResult } from '../model/import-result.ts';
import type { ProgressListener } from '../model/progress.ts';
import type { ChangeReport, DriftReport } from '../model/report.ts';
import type { Labels } from '../model/selector.ts';
import type { FleetSettings } from '../model/settings.ts';
import type { FleetStatus } from '../model/status.ts';
import type { Approval } from '../report/approval.ts';
import type { ValidationResult } from '../report/validation/validation-result.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Environment } from './environment.ts';

/** What every action gets beside its request. */
export interface ActionContext {
  readonly environment: Environment;
  /** Aborted at the first SIGINT or SIGTERM: stop cleanly and soon. A second one ends the process at once. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly onProgress: ProgressListener;
  /** Prints on stdout while the action runs, for `demo` and `run` alone; never mixed with a report. */
  print(text: string): void;
}

/** Names that narrow what is looked at; an empty list narrows nothing. A name that is unknown is a ConfigInvalid. */
export interface Scope {
  readonly clusters: readonly string[];
  readonly generators: readonly string[];
}

/** Which revision to read: the settings' ref, another ref of the same repository, or a folder on this machine. */
export type RevisionChoice =
  | { readonly kind: 'settings' }
  | { readonly kind: 'ref'; readonly ref: string }
  | { readonly kind: 'workingCopy'; readonly dir: string };

export interface FleetRequest {
  readonly settings: FleetSettings;
}

export interface RunRequest extends FleetRequest {
  /** As the user named the settings file, for commands that the page shows; undefined for the usual one. */
  readonly settingsPath?: string | undefined;
}

export interface ScopedRequest extends FleetRequest {
  readonly scope: Scope;
}

export interface SyncRequest extends ScopedRequest {
  /** How long to go on for objects that wait for the health of others. */
  readonly waitMs: number;
}

export interface PlanRequest extends ScopedRequest {
  readonly revision: RevisionChoice;
}

/** `settings` is missing only with a working copy: CI can read one without knowing any cluster. */
export type OfflineRequest =
  | { readonly settings: FleetSettings; readonly scope: Scope; readonly revision: RevisionChoice }
  | {
      readonly settings: undefined;
      readonly scope: Scope;
      readonly revision: Extract<RevisionChoice, { kind: 'workingCopy' }>;
    };

/** `labelSets` are made-up clusters' labels, by name, in the place of the registry's clusters; none for those. */
export type ValidateRequest = OfflineRequest & { readonly labelSets: ReadonlyMap<string, Labels> };

export interface DemoRequest {
  readonly clusters: number;
  /** 0: any free port. None given: 8080, or any free port where that is taken. */
  readonly port?: number;
  /** End after the first convergence with its report. */
  readonly once: boolean;
}

export interface RenderResult {
  readonly revision: string;
  /** One for each cluster in scope. */
  readonly clusters: readonly DesiredState[];
  /** Faults that concern no single cluster. */
  readonly faults: readonly FleetError[];
}

/**
 * What the commands do, behind an interface so that the shell around it (arguments, printing, exit statuses) can be
 * tried without a cluster. What was found and done is returned, faults included; thrown is only what kept the action
 * from being tried: a FleetError ConfigInvalid ends with status 3, any other with 1.
 */
export interface Actions {
  /** Until the signal is aborted, then undefined; with `once` until the first convergence, then its report. */
  demo(request: DemoRequest, context: ActionContext): Promise<ChangeReport | undefined>;
  /** Until the signal is aborted, then everything is closed. */
  run(request: RunRequest, context: ActionContext): Promise<void>;
  sync(request: SyncRequest, context: ActionContext): Promise<ChangeReport>;
  /** Writes nothing anywhere. */
  plan(request: PlanRequest, context: ActionContext): Promise<ChangeReport>;
  /** Writes nothing to clusters. */
  drift(request: ScopedRequest, context: ActionContext): Promise<DriftReport>;
  /** Speaks to no cluster. */
  render(request: OfflineRequest, context: ActionContext): Promise<RenderResult>;
  /** Speaks to no cluster. */
  validate(request: ValidateRequest, context: ActionContext): Promise<ValidationResult>;
  status(request: ScopedRequest, context: ActionContext): Promise<FleetStatus>;
  /** @throws FleetError ConfigInvalid when nothing is held under that id. */
  approve(request: FleetRequest & { readonly holdId: string }, context: ActionContext): Promise<Approval>;
  /** Writes nothing. @throws UsageError when a file cannot be read. */
  import(request: ImportRequest, context: ActionContext): Promise<ImportResult>;
}

export interface ImportRequest {
  readonly format: ImportFormat;
  /** Paths from the current folder; '-' is what is piped in. */
  readonly files: readonly string[];
  readonly options: ImportOptions;
}

/** Loads the engine only when an action needs it, so that --help and --version answer at once. */
export type LoadActions = () => Promise<Actions>;
