/**
 * Usage: print-test-summary.mjs FILE STATUS
 * Adds up the runs that test-summary-reporter.cjs noted in FILE and prints 'N passed, N failed' as the last line.
 * STATUS is what `npm test` exited with. Exits with it, or with 1 where something failed all the same.
 */
import { readFileSync } from 'node:fs';

const [file, status] = process.argv.slice(2);
const entries = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));
const ended = entries.filter(({ event }) => event === 'end');
const sum = (key) => ended.reduce((total, entry) => total + entry[key], 0);

const crashed = entries.filter(({ event }) => event === 'start').length - ended.length;
const exitCode = Number(status);
let failed = sum('failed') + crashed;
if (crashed > 0) console.log(`${crashed} test run(s) ended before their last test.`);
if (failed === 0 && exitCode !== 0) {
  failed = 1;
  console.log('A step outside the tests failed, such as types, lint or set-up.');
}
if (ended.length === 0 && exitCode === 0) {
  failed = 1;
  console.log('No test ran.');
}
if (sum('skipped') > 0) console.log(`${sum('skipped')} skipped`);
console.log(`${sum('passed')} passed, ${failed} failed`);
process.exitCode = exitCode === 0 && failed > 0 ? 1 : exitCode;
