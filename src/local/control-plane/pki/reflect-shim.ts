/**
 * @peculiar/x509 finds its algorithms through tsyringe, which refuses to load without the metadata functions of
 * Reflect. It asks them only for injected constructor parameters, and none of those classes has any:
 * "no metadata" is the right answer, so three functions do and no polyfill package is needed.
 * Import this module before @peculiar/x509.
 */
const none = (): undefined => undefined;

for (const name of ['getMetadata', 'getOwnMetadata', 'defineMetadata']) {
  if (!Object.hasOwn(Reflect, name)) Object.defineProperty(Reflect, name, { value: none, configurable: true, writable: true });
}
