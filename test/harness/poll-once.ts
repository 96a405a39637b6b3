import { openGitSource } from '../../src/git/open-git-source.ts';

/*
 * A process of its own that polls once: poll-once.ts BACKEND URL STATE_DIR ['stay']. Prints the revision or the error's code,
 * and with 'stay' keeps its mirror until it is killed.
 */
const [backend = '', url = '', stateDir = '', stay = ''] = process.argv.slice(2);
const source = openGitSource(
  { url, ref: 'main', path: '', intervalMs: 1_000, backend: backend === 'native' ? 'native' : 'embedded' },
  { stateDir, environment: process.env },
);
const snapshot = await source.poll(AbortSignal.timeout(60_000));
console.log(snapshot?.revision ?? 'empty');
if (stay === 'stay') setInterval(() => undefined, 1_000);
else await source.close();
