/**
 * Mocha's spec reporter, which also appends to the file in TEST_SUMMARY a line when a run starts and one
 * when it ends. A run that crashes leaves only the first, which scripts/print-test-summary.mjs counts as failed.
 * CommonJS, as mocha loads reporters with require.
 */
const { randomUUID } = require('node:crypto');
const { appendFileSync } = require('node:fs');
const { Spec } = require('mocha').reporters;

module.exports = class TestSummaryReporter extends Spec {
  constructor(runner, options) {
    super(runner, options);
    const file = process.env.TEST_SUMMARY;
    if (!file) return;
    const run = randomUUID();
    const append = (entry) => appendFileSync(file, `${JSON.stringify({ run, ...entry })}\n`);
    append({ event: 'start' });
    runner.once('end', () => {
      const { passes, failures, pending } = runner.stats;
      append({ event: 'end', passed: passes, failed: failures, skipped: pending });
    });
  }
};
