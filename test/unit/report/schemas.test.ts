import { readFileSync } from 'node:fs';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';

import { errorDocument } from '../../../src/report/error-document.ts';
import { publishedSchemas } from '../../../src/report/published-schemas.ts';
import { toJson } from '../../../src/report/to-json.ts';
import { changeReport, driftReport } from './sample-reports.ts';

const root = new URL('../../../', import.meta.url);
const samples = {
  'plan.json': toJson(changeReport('Plan')),
  'sync-report.json': toJson(changeReport('SyncReport')),
  'drift-report.json': toJson(driftReport()),
};

/** A report as its readers see it, open to be spoiled. */
interface Loose {
  apiVersion?: string;
  summary: Record<string, unknown>;
  errors: unknown[];
  clusters: { state: string; name?: string; changes?: LooseItem[]; objects?: LooseItem[] }[];
}
interface LooseItem {
  action: string;
  ref: Record<string, unknown>;
  reason?: string;
  holdId?: string;
  fields: { path?: string; changedBy?: unknown; desired?: unknown }[];
}

const itemsOf = (report: Loose): LooseItem[] =>
  report.clusters.flatMap((cluster) => cluster.changes ?? cluster.objects ?? []);
const fieldOf = (report: Loose) => itemsOf(report).flatMap((item) => item.fields)[0]!;

const spoilers: Record<string, (report: Loose) => void> = {
  'a report without its version': (report) => delete report.apiVersion,
  'an unknown key at the top': (report) => Object.assign(report, { extra: true }),
  'a state that there is not': (report) => (report.clusters[0]!.state = 'asleep'),
  'a cluster without a name': (report) => delete report.clusters[0]!.name,
  'a negative count': (report) => (report.summary['inSync'] = -1),
  'a summary without a count': (report) => delete report.summary['unreachable'],
  'an error with an unknown code': (report) =>
    report.errors.push({ code: 'Oops', message: 'x', retry: 'never' }),
  'an error without retry': (report) => report.errors.push({ code: 'Internal', message: 'x' }),
  'an action that there is not': (report) => (itemsOf(report)[0]!.action = 'explode'),
  'a ref without a kind': (report) => delete itemsOf(report)[0]!.ref['kind'],
  'a field without a path': (report) => delete fieldOf(report).path,
  'a field path that does not start with a dot': (report) => (fieldOf(report).path = 'spec'),
  'a field that does not say who changed it': (report) => delete fieldOf(report).changedBy,
};

describe('published schemas', () => {
  it('are the files in schemas/, as scripts/generate.ts writes them', () => {
    for (const [file, schema] of Object.entries(publishedSchemas())) {
      expect(JSON.parse(readFileSync(new URL(`schemas/${file}`, root), 'utf8')), file).to.deep.equal(schema);
    }
  });

  it('go with docs/errors.md, as scripts/generate.ts writes it', () => {
    expect(readFileSync(new URL('docs/errors.md', root), 'utf8')).to.equal(errorDocument());
  });

  for (const [file, sample] of Object.entries(samples)) {
    describe(file, () => {
      const schema: unknown = JSON.parse(readFileSync(new URL(`schemas/${file}`, root), 'utf8'));
      const validate = new Ajv2020({ strict: true, allErrors: true }).compile(schema as object);

      it('accepts a report with everything in it', () => {
        const accepted = validate(structuredClone(sample));
        expect(validate.errors).to.equal(null);
        expect(accepted).to.equal(true);
      });

      for (const [what, spoil] of Object.entries(spoilers)) {
        it(`refuses ${what}`, () => {
          const spoiled = JSON.parse(JSON.stringify(sample)) as Loose;
          spoil(spoiled);
          expect(validate(spoiled)).to.equal(false);
        });
      }
    });
  }

  it('each refuse the other kinds', () => {
    const ajv = new Ajv2020();
    const schemaOf = (file: string) =>
      ajv.compile(JSON.parse(readFileSync(new URL(`schemas/${file}`, root), 'utf8')) as object);
    for (const file of Object.keys(samples)) {
      const validate = schemaOf(file);
      const accepted = Object.entries(samples).filter(([, sample]) => validate(sample));
      expect(accepted.map(([name]) => name)).to.deep.equal([file]);
    }
  });
});
