import { z } from 'zod';

import { type ErrorCode, errorCodes } from '../model/error-codes.ts';

/**
 * The published JSON shapes of reports. schemas/*.json are made from here, and toJson is typed by it, so that
 * neither can move without the other.
 */
const time = z.string().meta({ description: 'RFC 3339' });
const count = z.int().nonnegative();
// Object.keys gives string[]; the keys of a constant table are its literal keys.
const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]];

/** Shared with other published shapes. */
export const refSchema = z
  .strictObject({
    apiVersion: z.string().min(1),
    kind: z.string().min(1),
    namespace: z.string().meta({ description: 'Empty for a cluster-scoped object' }),
    name: z.string().min(1),
  })
  .meta({ id: 'Ref', description: 'What names an object in one cluster' });
const ref = refSchema;

const origin = z
  .strictObject({
    generator: z
      .string()
      .meta({ description: "A generator's name, or clusters/<name> for a cluster directory" }),
    file: z
      .string()
      .meta({ description: "Path from the fleet's root; empty where Git no longer has the object" }),
    document: count.meta({ description: 'From 1; 0 where Git no longer has the object' }),
    line: count.meta({ description: 'From 1; 0 where Git no longer has the object' }),
    column: count.optional(),
  })
  .meta({ id: 'Origin', description: 'Where in Git something comes from' });

const error = z
  .strictObject({
    code: z.enum(codes),
    message: z.string(),
    ref: ref.optional(),
    origin: origin.optional(),
    retry: z.enum(['soon', 'interval', 'never']).meta({
      description:
        'Whether it is tried again: at once with backoff, at the next interval, or never without a change',
    }),
  })
  .meta({ id: 'Error', description: 'A fault; docs/errors.md says what each code means' });

const manager = z
  .strictObject({
    manager: z.string(),
    operation: z.enum(['Apply', 'Update', 'Delete']),
    subresource: z.string().optional(),
    time: time.optional(),
    user: z.string().optional().meta({ description: 'Whose request it was, where an audit log tells' }),
    sourceIPs: z
      .array(z.string())
      .optional()
      .meta({ description: "Where it came from: the user's own address, then those of proxies" }),
    target: ref
      .optional()
      .meta({ description: 'What was deleted, where the object only went with it: its namespace' }),
  })
  .meta({
    id: 'Manager',
    description:
      'Who wrote a field last, as metadata.managedFields tells, or deleted an object, as an audit log tells',
  });

const field = z
  .strictObject({
    path: z
      .string()
      .regex(/^\./)
      .meta({ examples: ['.spec.template.spec.containers[name=web].image'] }),
    desired: z
      .unknown()
      .optional()
      .meta({ description: 'Missing: Git does not set it. A short hash in a Secret' }),
    live: z
      .unknown()
      .optional()
      .meta({ description: 'Missing: the cluster does not have it. A short hash in a Secret' }),
    changedBy: z.array(manager),
  })
  .meta({ id: 'Field', description: 'One field that differs' });

const deleters = z
  .array(manager)
  .optional()
  .meta({ description: 'Who deleted the object, in order; missing where no audit log tells' });

const changeBase = { ref, origin, fields: z.array(field), changedBy: deleters };

const change = z
  .discriminatedUnion('action', [
    z.strictObject({
      action: z.enum(['create', 'configure', 'unchanged']),
      ...changeBase,
      reason: z.string().optional(),
    }),
    z.strictObject({ action: z.enum(['delete', 'skipped', 'pending']), ...changeBase, reason: z.string() }),
    z.strictObject({
      action: z.literal('held'),
      ...changeBase,
      reason: z.string(),
      holdId: z.string().min(1).meta({ description: 'What to name to `fleetwright approve`' }),
    }),
    z.strictObject({ action: z.literal('failed'), ...changeBase, reason: z.string(), error }),
  ])
  .meta({ id: 'Change', description: 'One object and what happens, or happened, to it' });

const drift = z
  .strictObject({
    ref,
    origin,
    kind: z.enum(['changed', 'missing', 'extra', 'unlabelled', 'conflict']),
    fields: z.array(field),
    changedBy: deleters,
    action: z.enum(['corrected', 'reported', 'ignored', 'pending']),
    detectedAt: time,
    correctedAt: time.optional(),
    reason: z.string().optional(),
  })
  .meta({ id: 'Drift', description: 'One object that departed from Git without Git having changed' });

const metadata = z.strictObject({
  fleet: z.string(),
  revision: z.string().meta({ description: 'Full commit id; empty before the first was read' }),
  generatedAt: time,
});

const clusterBase = {
  name: z.string().min(1),
  state: z.enum(['reachable', 'unreachable', 'unauthorized', 'unknown']),
  lastSeenAt: time.optional().meta({ description: 'When it last answered, RFC 3339' }),
  revision: z.string().optional().meta({ description: 'The revision it was last brought to' }),
};

/** Each cluster is counted once, under the first of these that is true of it. */
const verdictCounts = {
  unreachable: count.meta({ description: 'Clusters that do not answer' }),
  unauthorized: count.meta({ description: 'Clusters that refuse our credentials' }),
  unknown: count.meta({ description: 'Clusters that were not tried yet' }),
  failed: count.meta({ description: 'Clusters in which something failed' }),
};

const changeSummary = z.strictObject({
  clusters: count,
  inSync: count,
  outOfSync: count.meta({ description: 'Clusters with changes still to make, and nothing held or failed' }),
  held: count.meta({ description: 'Clusters in which something waits for an approval' }),
  ...verdictCounts,
  changes: z
    .strictObject({
      create: count,
      configure: count,
      delete: count,
      unchanged: count,
      held: count,
      skipped: count,
      pending: count,
      failed: count,
    })
    .meta({ description: 'Objects by action, over all clusters' }),
});

const driftSummary = z.strictObject({
  clusters: count,
  inSync: count,
  outOfSync: count.meta({
    description: 'Clusters that answered and in which an object differs now, not by wish',
  }),
  ...verdictCounts,
  objects: count.meta({ description: 'Objects that Git wants, over all clusters' }),
  drifted: count.meta({ description: 'Objects that differ from Git now: reported, pending or ignored' }),
  missing: count.meta({ description: 'Those of the drifted objects that are missing in the cluster' }),
  extra: count.meta({ description: 'Those of the drifted objects that are missing in Git' }),
  corrected: count.meta({
    description: 'Objects that were put right at least once within the last day; each counts once',
  }),
});

const changeReport = <Kind extends 'Plan' | 'SyncReport'>(kind: Kind) =>
  z.strictObject({
    apiVersion: z.literal('fleetwright.dev/v1alpha1'),
    kind: z.literal(kind),
    metadata,
    summary: changeSummary,
    clusters: z.array(
      z.strictObject({
        ...clusterBase,
        labels: z.record(z.string(), z.string()),
        changes: z.array(change),
        errors: z.array(error),
        warnings: z.array(z.string()),
      }),
    ),
    errors: z.array(error).meta({ description: 'Faults that concern no single cluster' }),
  });

export const planSchema = changeReport('Plan');
export const syncReportSchema = changeReport('SyncReport');
export const driftReportSchema = z.strictObject({
  apiVersion: z.literal('fleetwright.dev/v1alpha1'),
  kind: z.literal('DriftReport'),
  metadata,
  summary: driftSummary,
  clusters: z.array(
    z.strictObject({
      ...clusterBase,
      objectCount: count.meta({ description: 'How many objects Git wants there' }),
      objects: z.array(drift),
      errors: z.array(error),
      warnings: z
        .array(z.string())
        .optional()
        .meta({ description: 'What the report may lack, and why; left out where there is nothing to say' }),
    }),
  ),
  errors: z.array(error).meta({ description: 'Faults that concern no single cluster' }),
});

export type ErrorJson = z.infer<typeof error>;
export type ChangeJson = z.infer<typeof change>;
export type DriftJson = z.infer<typeof drift>;
export type OriginJson = z.infer<typeof origin>;
export type FieldJson = z.infer<typeof field>;
export type ChangeSummary = z.infer<typeof changeSummary>;
export type DriftSummary = z.infer<typeof driftSummary>;
export type ChangeReportJson = z.infer<typeof planSchema> | z.infer<typeof syncReportSchema>;
export type DriftReportJson = z.infer<typeof driftReportSchema>;
export type ReportJson = ChangeReportJson | DriftReportJson;
