import { Client } from 'undici';
import type { Credentials } from './pki/certificate-authority.ts';

const probeTimeoutMs = 2_000;

/**
 * Whether an API server says that it is ready and has its first namespace, without which nothing can be created.
 * Anything that is not a plain yes is a no. A connection of its own each time: the last one may have died with the
 * server that it led to.
 */
export async function isApiServerReady(
  url: string,
  tls: { readonly ca: string; readonly credentials: Credentials },
  signal: AbortSignal,
): Promise<boolean> {
  const client = new Client(url, {
    connect: { ca: tls.ca, cert: tls.credentials.certificate, key: tls.credentials.key, timeout: probeTimeoutMs },
  });
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(probeTimeoutMs)]);
  try {
    for (const path of ['/readyz', '/api/v1/namespaces/default']) {
      const { statusCode, body } = await client.request({ method: 'GET', path, signal: bounded });
      await body.dump();
      if (statusCode !== 200) return false;
    }
    return true;
  } catch {
    return false;
  } finally {
    await client.destroy();
  }
}
