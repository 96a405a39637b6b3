/**
 * Usage: run-together.mjs SCRIPT...
 * Runs npm scripts at the same time, each line marked with the script that says it. Suites that wait for real servers
 * spend most of their time waiting. A script that takes longer than the limit is ended and has failed.
 * Exits with 1 where one failed.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const limitMs = 25 * 60_000;

function run(script) {
  const started = Date.now();
  const child = spawn('npm', ['run', script], { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => console.log(`[${script}] ${line}`));
  }
  const end = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It has ended.
    }
  };
  const limit = setTimeout(() => {
    console.log(`[${script}] did not end within ${limitMs / 60_000} minutes`);
    end('SIGKILL');
  }, limitMs);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => end(signal));
  return new Promise((resolve) => {
    // Not 'close': a process left behind would hold the pipe open and hide that the tests are over.
    child.on('exit', (status) => {
      clearTimeout(limit);
      console.log(`[${script}] ended after ${Math.round((Date.now() - started) / 1000)} s with ${status}`);
      resolve(status === 0);
    });
  });
}

const results = await Promise.all(process.argv.slice(2).map(run));
process.exit(results.every(Boolean) ? 0 : 1);
