import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import * as fs from 'node:fs';
import { join } from 'node:path';
import type { HttpClient } from 'isomorphic-git';
import { type GitHttpOptions, requestGit } from './git-http.ts';

/** The ref under which a mirror keeps the commit that it holds whole; written last, so that it proves the rest. */
export const heldRef = 'refs/fleetwright/held';

/** No URL in it, so that credentials in one cannot get there; a refspec only because isomorphic-git asks for one. */
const bareConfig =
  '[core]\n\trepositoryformatversion = 0\n\tfilemode = false\n\tbare = true\n' +
  '[remote "origin"]\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n';

/** Makes an empty bare repository. */
export async function createBareRepository(gitdir: string): Promise<void> {
  await mkdir(join(gitdir, 'objects', 'pack'), { recursive: true });
  await mkdir(join(gitdir, 'refs', 'heads'), { recursive: true });
  await writeFile(join(gitdir, 'config'), bareConfig);
  await writeFile(join(gitdir, 'HEAD'), 'ref: refs/heads/main\n');
}

export interface FetchRequest {
  readonly gitdir: string;
  readonly url: string;
  /** A full ref name, or a commit id where the server allows to ask for one. */
  readonly remoteRef: string;
  /**
   * shallow: this commit alone, into an empty repository. onward: what is new since the commit held;
   * asking again for depth 1 would bring everything anew (2.5 MB in place of 22 KB for 20,000 files).
   */
  readonly mode: 'shallow' | 'onward';
}

/**
 * Fetches one ref into a bare repository as one more pack.
 * @returns the id that the ref had: of a commit, or of an annotated tag.
 * @throws FleetError from the transport; Error when the answer is no pack.
 */
export async function fetchCommit(wanted: FetchRequest, options: GitHttpOptions): Promise<string | null> {
  // Loaded when something is to be fetched: a command that finds its mirror up to date starts 0.1 s sooner.
  const { fetch: gitFetch } = await import('isomorphic-git');
  const result = await gitFetch({
    fs: { promises: atomicFs },
    http: httpClient(options),
    gitdir: wanted.gitdir,
    url: wanted.url,
    remote: 'origin',
    ref: heldRef,
    remoteRef: wanted.remoteRef,
    singleBranch: true,
    tags: false,
    // Indexes of old packs are read anew each time: 25 ms, against megabytes kept between polls.
    cache: {},
    ...(wanted.mode === 'shallow' ? { depth: 1 } : {}),
  });
  return result.fetchHead;
}

/** Files appear whole or not at all, so that a kill in the middle leaves no half-written index. */
const atomicFs = {
  ...fs.promises,
  async writeFile(path: string, data: string | Uint8Array, options?: fs.WriteFileOptions): Promise<void> {
    const partial = `${path}.partial`;
    try {
      await writeFile(partial, data, options);
      await rename(partial, path);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  },
};

/** isomorphic-git's HTTP interface over our transport, which alone knows deadlines, limits and credentials. */
function httpClient(options: GitHttpOptions): HttpClient {
  return {
    async request({ url, method, headers, body }) {
      const pieces: Uint8Array[] = [];
      if (body !== undefined) for await (const piece of body) pieces.push(piece);
      const answer = await requestGit(
        {
          url,
          method: method === 'POST' ? 'POST' : 'GET',
          headers: headers ?? {},
          ...(pieces.length === 0 ? {} : { body: Buffer.concat(pieces) }),
        },
        options,
      );
      return {
        url: answer.url,
        method: method ?? 'GET',
        statusCode: 200,
        statusMessage: 'OK',
        headers: { ...answer.headers },
        body: drain(answer.chunks),
      };
    },
  };
}

/** Hands out the pieces and lets each go, so that a pack is not held twice. */
async function* drain(chunks: Buffer[]): AsyncIterableIterator<Uint8Array> {
  for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift())
    yield await Promise.resolve(chunk);
}
