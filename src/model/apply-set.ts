/**
 * Names that Fleetwright writes on objects.
 * Source: KEP-3659, ApplySet: kubectl apply --prune redesign.
 */
export const fieldManager = 'fleetwright';
export const systemNamespace = 'fleetwright-system';

export const partOfLabel = 'applyset.kubernetes.io/part-of';
export const applySetIdLabel = 'applyset.kubernetes.io/id';
export const toolingAnnotation = 'applyset.kubernetes.io/tooling';
export const containsGroupKindsAnnotation = 'applyset.kubernetes.io/contains-group-kinds';

/** On the parent: the name under which the fleet syncs this cluster. */
export const clusterAnnotation = 'fleetwright.dev/cluster';
export const generatorAnnotation = 'fleetwright.dev/generator';
export const desiredHashAnnotation = 'fleetwright.dev/desired-hash';
export const pruneAnnotation = 'fleetwright.dev/prune';
export const driftAnnotation = 'fleetwright.dev/drift';
/** Source: sigs.k8s.io/cli-utils, pkg/object/dependson. */
export const dependsOnAnnotation = 'config.kubernetes.io/depends-on';
export const adoptAnnotation = 'fleetwright.dev/adopt';
/** Paths of fields that are left to others once the object is there. */
export const ignoreFieldsAnnotation = 'fleetwright.dev/ignore-fields';
/** How an object is written: once and never again, or anew where a field of it cannot be changed. */
export const applyAnnotation = 'fleetwright.dev/apply';
/** What becomes of an object that Git drops. */
export const deletionAnnotation = 'fleetwright.dev/deletion';
