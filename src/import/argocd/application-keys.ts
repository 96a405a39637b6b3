import type { MapReader } from '../map-reader.ts';

/** What the metadata of an Application says: there is no such object here, and so nothing to carry it. */
export function tellApplicationMetadata(metadata: MapReader): void {
  metadata.any('name');
  const noObject = 'there is no Application here to carry them';
  metadata.note('dropped', 'labels', { message: noObject });
  metadata.note('dropped', 'namespace', { message: 'there is no Application here' });
  metadata.note('dropped', 'finalizers', {
    message: 'the objects of a generator that is removed are deleted, within the prune limits',
  });
  const annotations = metadata.map('annotations');
  if (annotations !== undefined) {
    for (const key of Object.keys(annotations.value)) tellAnnotation(annotations, key);
  }
  metadata.end();
}

function tellAnnotation(annotations: MapReader, key: string): void {
  if (key === 'argocd.argoproj.io/sync-wave') {
    annotations.note('unsupported', key, {
      message: 'waves between Applications have no equal',
      remedy: 'Name in dependsOn the generators that must be healthy first.',
    });
  } else if (key.startsWith('notifications.argoproj.io/')) {
    annotations.note('unsupported', key, {
      message: 'who is notified is not said by a generator',
      remedy: 'Set it up for the fleet.',
    });
  } else {
    annotations.note('dropped', key, { message: 'there is no Application here to carry it' });
  }
}

/** `ignoreDifferences` and what else an Application has beside its source, destination and policy. */
export function tellOtherKeys(spec: MapReader): void {
  spec.maps('ignoreDifferences').forEach((difference) => {
    const kind = difference.text('kind') ?? 'object';
    const name = difference.text('name');
    const fields = [...difference.texts('jsonPointers'), ...difference.texts('jqPathExpressions')];
    const managers = difference.texts('managedFieldsManagers');
    for (const key of ['group', 'namespace']) difference.any(key);
    difference.end();
    const what = fields.length === 0 ? `what ${managers.join(', ')} owns` : fields.join(', ');
    difference.notes.add('unsupported', difference.path, {
      message: `${what} of ${name === undefined ? `every ${kind}` : `${kind}/${name}`} is not left alone by a generator`,
      remedy:
        'Leave the field out of the manifest, as what Git does not set is left alone; or annotate the object with fleetwright.dev/ignore-fields.',
    });
  });
  const project = spec.text('project');
  spec.note(project === 'default' ? 'dropped' : 'changed', 'project', {
    message: 'there are no projects: who may commit to a folder may deploy from it',
    ...(project !== 'default' && {
      remedy: 'Guard folders by reviews, and limit in each cluster what the credentials may do.',
    }),
  });
  spec.note('dropped', 'revisionHistoryLimit', { message: 'the history is Git’s' });
  spec.note('dropped', 'info', { message: 'there is no Application here to carry it' });
}
