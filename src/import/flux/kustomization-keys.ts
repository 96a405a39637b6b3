import type { MapReader } from '../map-reader.ts';

/** What only a kustomization.yaml can say, and what has no equal at all. */
export function tellFileKeys(spec: MapReader): void {
  for (const key of ['images', 'components', 'namePrefix', 'nameSuffix', 'ignoreMissingComponents']) {
    spec.note('unsupported', key, {
      message: `${key} has no equal in a generator`,
      remedy: `Write ${key} into a kustomization.yaml, in a folder of its own whose resources name this source, and point source.path to that.`,
    });
  }
  spec.note('unsupported', 'decryption', {
    message: 'nothing is decrypted: a Secret is applied as it stands in Git',
    remedy: 'Keep Secrets out of Git with an operator that fetches them, such as External Secrets.',
  });
  spec.note('unsupported', 'serviceAccountName', {
    message: 'everything is applied with the credentials of the cluster',
    remedy: 'Limit in the cluster what these may do.',
  });
  spec.note('unsupported', 'healthCheckExprs', {
    message: 'health is not said by expressions',
    remedy: 'Objects with conditions are judged by these.',
  });
  spec.note('unsupported', 'ignore', {
    message: 'fields to leave alone are not said by a generator',
    remedy:
      'Leave the field out of the manifest, as what Git does not set is left alone; or annotate the object with fleetwright.dev/ignore-fields.',
  });
  if (spec.flag('force') === true) {
    spec.note('unsupported', 'force', {
      message:
        'an object with a change that is not possible in place is not deleted and created anew by itself',
      remedy: 'Annotate the objects that need it with fleetwright.dev/apply: replace.',
    });
  }
}

/** What is done here without being asked for. */
export function tellNeedless(spec: MapReader): void {
  const needless = {
    interval: 'drift is watched, and Git is asked as often as source.interval of the fleet says',
    retryInterval: 'what failed is tried again with growing pauses',
    timeout: 'what becomes ready late is late, and not given up',
    wait: 'the health of every object counts',
    healthChecks: 'the health of every object counts',
    buildMetadata: 'each object says by annotation which generator it comes from',
    validation: 'every object is validated by the server',
  };
  for (const [key, message] of Object.entries(needless)) spec.note('dropped', key, { message });
}
