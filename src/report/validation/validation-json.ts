import { z } from 'zod';

import { type ErrorCode, errorCodes } from '../../model/error-codes.ts';
import type { Finding } from '../../model/finding.ts';
import { type WarningCode, warningCodes } from '../../model/warning-codes.ts';
import { refSchema } from '../report-schema.ts';
import { reportApiVersion } from '../to-json.ts';
import { countFindings, type ValidationResult } from './validation-result.ts';

const count = z.int().nonnegative();
const position = z.int().min(1);
// Object.keys gives string[]; the keys of constant tables are their literal keys.
const codes = [...Object.keys(errorCodes), ...Object.keys(warningCodes)] as [
  ErrorCode | WarningCode,
  ...(ErrorCode | WarningCode)[],
];

const place = z.strictObject({
  file: z.string().meta({ description: "A file or folder, from the fleet's root" }),
  document: position.optional(),
  line: position.optional().meta({ description: 'Missing for a folder' }),
  column: position.optional(),
});

const finding = z
  .strictObject({
    severity: z.enum(['error', 'warning']),
    code: z.enum(codes).meta({ description: 'docs/errors.md says what each code means' }),
    message: z.string(),
    place: place.optional(),
    generator: z
      .string()
      .optional()
      .meta({ description: "A generator's name, or clusters/<name> for a cluster directory" }),
    ref: refSchema.optional(),
    clusters: z
      .array(z.string())
      .optional()
      .meta({ description: 'For which clusters it was found, where that is not all that were looked at' }),
  })
  .meta({ id: 'Finding' });

/** What `fleetwright validate -o json` prints. */
export const validationReportSchema = z.strictObject({
  apiVersion: z.literal(reportApiVersion),
  kind: z.literal('ValidationReport'),
  metadata: z.strictObject({
    revision: z.string().meta({ description: "Full commit id; 'working-copy' for a folder" }),
    kubernetes: z.string().meta({ description: 'The version whose kinds are known', examples: ['1.36'] }),
  }),
  summary: z.strictObject({ files: count, clusters: count, errors: count, warnings: count }),
  findings: z.array(finding).meta({ description: 'Sorted by place' }),
  notes: z.array(z.string()).meta({ description: 'How it was looked at' }),
});

export type ValidationJson = z.infer<typeof validationReportSchema>;

/** The stable, versioned shape; schemas/validation-report.json describes it. */
export function validationJson(result: ValidationResult): ValidationJson {
  const { revision, kubernetes, files, clusters, findings, notes } = result;
  return {
    apiVersion: reportApiVersion,
    kind: 'ValidationReport',
    metadata: { revision, kubernetes },
    summary: { files: files.length, clusters: clusters.length, ...countFindings(result) },
    findings: findings.map(findingJson),
    notes: [...notes],
  };
}

function findingJson({ severity, code, message, place: at, generator, ref, clusters }: Finding) {
  return {
    severity,
    code,
    message,
    ...(at !== undefined && { place: placeJson(at) }),
    ...(generator !== undefined && { generator }),
    ...(ref !== undefined && {
      ref: { apiVersion: ref.apiVersion, kind: ref.kind, namespace: ref.namespace, name: ref.name },
    }),
    ...(clusters !== undefined && { clusters: [...clusters] }),
  };
}

function placeJson({ file, document, line, column }: NonNullable<Finding['place']>) {
  return {
    file,
    ...(document !== undefined && { document }),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
  };
}
