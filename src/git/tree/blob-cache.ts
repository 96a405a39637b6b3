/** Bytes by object id, the least recently used dropped first, with reads in flight shared. */
export interface BlobCache {
  /** `revision` is a commit that has the blob, for whoever has to look for it. */
  get(oid: string, revision: string): Promise<Uint8Array>;
}

type LoadBlob = (oid: string, revision: string) => Promise<Uint8Array>;

/** Caches what `load` brings, up to `maxBytes` in all. Failures are not kept. */
export function createBlobCache(load: LoadBlob, maxBytes: number): BlobCache {
  // A Map keeps its keys in the order of insertion: the first is the one unused for longest.
  const kept = new Map<string, Uint8Array>();
  const loading = new Map<string, Promise<Uint8Array>>();
  let keptBytes = 0;

  function keep(oid: string, bytes: Uint8Array): void {
    if (bytes.length > maxBytes) return;
    kept.set(oid, bytes);
    keptBytes += bytes.length;
    for (const [oldest, old] of kept) {
      if (keptBytes <= maxBytes) return;
      kept.delete(oldest);
      keptBytes -= old.length;
    }
  }

  async function loadAndKeep(oid: string, revision: string): Promise<Uint8Array> {
    try {
      const bytes = await load(oid, revision);
      keep(oid, bytes);
      return bytes;
    } finally {
      loading.delete(oid);
    }
  }

  return {
    get(oid, revision) {
      const found = kept.get(oid);
      if (found !== undefined) {
        kept.delete(oid);
        kept.set(oid, found);
        return Promise.resolve(found);
      }
      const running = loading.get(oid) ?? loadAndKeep(oid, revision);
      loading.set(oid, running);
      return running;
    },
  };
}
