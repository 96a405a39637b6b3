import { z } from 'zod';

import { driftReportSchema, planSchema, syncReportSchema } from './report-schema.ts';
import { validationReportSchema } from './validation/validation-json.ts';

const published = {
  'plan.json': {
    schema: planSchema,
    title: 'Plan',
    description: 'What `fleetwright plan` would change, cluster by cluster',
  },
  'sync-report.json': {
    schema: syncReportSchema,
    title: 'SyncReport',
    description: 'What a sync found and did',
  },
  'drift-report.json': {
    schema: driftReportSchema,
    title: 'DriftReport',
    description: 'How the live clusters differ from Git, who changed them and when',
  },
  'validation-report.json': {
    schema: validationReportSchema,
    title: 'ValidationReport',
    description: 'What `fleetwright validate` found in a fleet repository',
  },
};

/** The JSON Schemas (draft 2020-12) of the reports, by file name in schemas/. */
export function publishedSchemas(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(published).map(([file, { schema, title, description }]) => {
      const { $schema, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12' });
      return [file, { $schema, title, description, ...rest }];
    }),
  );
}
