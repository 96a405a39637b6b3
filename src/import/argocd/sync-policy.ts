import type { JsonObject } from '../../model/json.ts';
import type { FindingKind } from '../../model/import-result.ts';
import type { MapReader } from '../map-reader.ts';

interface Said {
  readonly kind: FindingKind;
  readonly message: string;
  readonly remedy?: string;
}

const always = { kind: 'dropped', message: 'it is always so' } as const;
const replace: Said = {
  kind: 'unsupported',
  message: 'objects are never replaced by default, only applied',
  remedy: 'Annotate the objects that need it with fleetwright.dev/apply: replace.',
};

/** What each sync option of Argo CD is here. Those that are not listed and say `false` ask for the default. */
const options: Readonly<Record<string, Said>> = {
  'CreateNamespace=true': {
    kind: 'unsupported',
    message: 'no namespace is created that is not in Git',
    remedy: 'Commit a manifest of kind Namespace beside the others.',
  },
  'Validate=false': {
    kind: 'unsupported',
    message: 'what a cluster does not accept as valid is refused',
    remedy: 'Mend the manifests; `fleetwright plan` shows what the cluster says of them.',
  },
  'ServerSideApply=true': always,
  'ServerSideApply=false': { kind: 'changed', message: 'everything is applied on the server side' },
  'ApplyOutOfSyncOnly=true': always,
  'PruneLast=true': { kind: 'dropped', message: 'deletions are always the last stage' },
  'SkipDryRunOnMissingResource=true': {
    kind: 'dropped',
    message: 'definitions go first, and what needs one waits for it',
  },
  'RespectIgnoreDifferences=true': {
    kind: 'dropped',
    message: 'fields that Git does not set are left alone',
  },
  'FailOnSharedResource=true': { kind: 'dropped', message: 'an object that others own is always a conflict' },
  'ClientSideApplyMigration=true': { kind: 'dropped', message: 'nothing is applied on the client side' },
  'PrunePropagationPolicy=background': always,
  'PrunePropagationPolicy=foreground': {
    kind: 'changed',
    message: 'what belongs to a deleted object is deleted in the background',
  },
  'PrunePropagationPolicy=orphan': {
    kind: 'unsupported',
    message: 'what belongs to a deleted object is deleted with it',
    remedy: 'Annotate objects that must stay with fleetwright.dev/prune: disabled.',
  },
  'Replace=true': replace,
  'Force=true': replace,
  'Delete=false': {
    kind: 'unsupported',
    message: 'removing the generator deletes its objects',
    remedy: 'Annotate objects that must stay with fleetwright.dev/prune: disabled.',
  },
};

/** `syncPolicy` of an Application as `sync` of a generator. */
export function readSyncPolicy(spec: MapReader): JsonObject {
  const reader = spec.map('syncPolicy');
  const automated = readAutomated(reader);
  if (automated === undefined) {
    spec.notes.add('changed', reader?.path ?? spec.path, {
      message: 'it was synced by hand; here every commit is applied',
      remedy: 'Review a commit with `fleetwright plan` before it is merged.',
    });
  }
  if (reader === undefined) return manual;
  const given = reader.texts('syncOptions');
  given.forEach((option, index) => {
    sayOption(option, [...reader.path, 'syncOptions', index], spec);
  });
  reader.note('dropped', 'retry', { message: 'what failed is tried again with growing pauses' });
  reader.note('unsupported', 'managedNamespaceMetadata', {
    message: 'no namespace is created that is not in Git',
    remedy: 'Commit a manifest of kind Namespace with these labels and annotations.',
  });
  reader.end();
  const { drift, prune } = automated ?? manual;
  return { drift, prune: prune && !given.includes('Prune=false') };
}

const manual = { drift: 'report', prune: false };

/** Undefined where every sync is started by a person. */
function readAutomated(reader: MapReader | undefined): { drift: string; prune: boolean } | undefined {
  const automated = reader?.map('automated');
  if (automated === undefined) return undefined;
  const isEnabled = automated.flag('enabled') ?? true;
  const prune = automated.flag('prune') ?? false;
  const drift = automated.flag('selfHeal') === true ? 'correct' : 'report';
  if (automated.flag('allowEmpty') === true) {
    automated.note('changed', 'allowEmpty', {
      message: 'deleting everything of a generator is held until somebody approves it',
    });
  }
  automated.end();
  return isEnabled ? { drift, prune } : undefined;
}

function sayOption(option: string, path: readonly (string | number)[], { notes }: MapReader): void {
  // sync.prune says it.
  if (option === 'Prune=false') return;
  const said = options[option];
  if (said !== undefined) {
    notes.add(said.kind, path, { ...said, message: `${option}: ${said.message}` });
  } else if (!option.endsWith('=false')) {
    notes.add('unsupported', path, { message: `${option} has no equal` });
  }
}
