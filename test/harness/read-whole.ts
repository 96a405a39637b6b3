import { openGitSource } from '../../src/git/open-git-source.ts';
import { toFleetError } from '../../src/model/fleet-error.ts';

/** What read-whole.ts prints: what came of the poll and of each file that was read, and the most memory held. */
export interface WholeReading {
  /** A revision, or the fault. */
  readonly poll: string;
  /** The size, or the fault. */
  readonly files: Readonly<Record<string, string>>;
  readonly peakMb: number;
}

/*
 * A process of its own, so that its memory is its own: read-whole.ts BACKEND URL STATE_DIR PATH… polls once and reads
 * the files at the paths. Prints a WholeReading as JSON.
 */
if (import.meta.main) {
  const [backend = '', url = '', stateDir = '', ...paths] = process.argv.slice(2);
  const source = openGitSource(
    { url, ref: 'main', path: '', intervalMs: 1_000, backend: backend === 'native' ? 'native' : 'embedded' },
    { stateDir, environment: process.env },
  );
  const files: Record<string, string> = {};
  let poll: string;
  try {
    const snapshot = await source.poll(AbortSignal.timeout(120_000));
    poll = snapshot?.revision ?? 'empty';
    for (const path of paths) {
      files[path] = await (snapshot?.read(path) ?? Promise.reject(new Error('empty'))).then(
        (bytes) => String(bytes.length),
        (error: unknown) => toFleetError(error).describe(),
      );
    }
  } catch (error) {
    poll = toFleetError(error).describe();
  }
  await source.close();
  const peakMb = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ poll, files, peakMb } satisfies WholeReading));
}
