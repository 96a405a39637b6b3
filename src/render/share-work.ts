/** Does the work for a key, or waits for the same work where it is under way already. */
export async function shareWork<T>(
  underWay: Map<string, Promise<T>>,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  const known = underWay.get(key);
  if (known !== undefined) return await known;
  const promise = work();
  underWay.set(key, promise);
  try {
    return await promise;
  } finally {
    underWay.delete(key);
  }
}
