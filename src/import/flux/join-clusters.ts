import { jsonEqual, type JsonObject } from '../../model/json.ts';
import { generatorDocument, type GeneratorDraft, type GeneratorSpec } from '../generator-draft.ts';
import type { FluxDraft } from './kustomization.ts';

interface Group {
  readonly name: string;
  readonly members: readonly FluxDraft[];
}

/**
 * Brings the Kustomizations of one name in several clusters together: those that differ in nothing but their
 * cluster's name become one generator, with `{{ cluster.name }}` in its path; others get their cluster's name.
 */
export function joinClusters(drafts: readonly FluxDraft[]): GeneratorDraft[] {
  const groups = [...new Set(drafts.map(({ name }) => name))].flatMap((name) =>
    groupsOf(
      name,
      drafts.filter((draft) => draft.name === name),
    ),
  );
  return groups.map((group) => draftOf(group, groups));
}

function groupsOf(name: string, drafts: readonly FluxDraft[]): Group[] {
  const alike: FluxDraft[][] = [];
  for (const draft of drafts) {
    const found = alike.find(([first]) => first !== undefined && sameButForCluster(first, draft));
    if (found === undefined) alike.push([draft]);
    else found.push(draft);
  }
  if (alike.length === 1) return [{ name, members: drafts }];
  return alike.map((members) => {
    const [first] = members;
    const suffix = members.length === 1 ? first?.cluster : undefined;
    return { name: suffix === undefined ? name : `${name}-${suffix}`, members };
  });
}

function sameButForCluster(a: FluxDraft, b: FluxDraft): boolean {
  return a.cluster !== undefined && b.cluster !== undefined && jsonEqual(comparable(a), comparable(b));
}

function comparable(draft: FluxDraft): JsonObject {
  return generatorDocument(
    draft.name,
    specOf(draft, { path: generalPath(draft), dependsOn: draft.dependsOn }),
  );
}

/** The path with the cluster's name, where it is a step of it, as a template. */
function generalPath({ sourcePath, cluster }: FluxDraft): string {
  return sourcePath
    .split('/')
    .map((step) => (step === cluster ? '{{ cluster.name }}' : step))
    .join('/');
}

function specOf(
  draft: FluxDraft,
  { path, dependsOn, conditions = [] }: { path: string; dependsOn: readonly string[]; conditions?: string[] },
): GeneratorSpec {
  return {
    clusterSelector: {},
    conditions: draft.isSuspended ? [...conditions, 'false'] : conditions,
    sourcePath: path,
    ...(draft.namespace !== undefined && { namespace: draft.namespace }),
    parameters: draft.parameters,
    each: {},
    overrides: draft.overrides,
    dependsOn,
    sync: draft.sync,
  };
}

function draftOf({ name, members }: Group, groups: readonly Group[]): GeneratorDraft {
  const [first] = members;
  if (first === undefined) throw new Error('a group without members');
  const clusters = members.flatMap(({ cluster }) => cluster ?? []);
  tellClusters(members, clusters);
  const isJoined = members.length > 1;
  return {
    name,
    notes: first.notes,
    namePath: ['metadata', 'name'],
    spec: specOf(first, {
      path: isJoined ? generalPath(first) : first.sourcePath,
      dependsOn: first.dependsOn.flatMap((dependency) => namesOf(dependency, members, groups)),
      conditions: conditionsOf(clusters),
    }),
  };
}

function conditionsOf(clusters: readonly string[]): string[] {
  if (clusters.length === 0) return [];
  if (clusters.length === 1) return [`cluster.name == ${JSON.stringify(clusters[0])}`];
  return [`cluster.name in ${JSON.stringify([...clusters].sort())}`];
}

/** The generators that stand for a Kustomization in these clusters; its own name where it was not imported. */
function namesOf(dependency: string, members: readonly FluxDraft[], groups: readonly Group[]): string[] {
  const names = groups
    .filter((group) =>
      group.members.some(
        (each) => each.name === dependency && members.some(({ cluster }) => cluster === each.cluster),
      ),
    )
    .map(({ name }) => name);
  if (names.length > 0) return names;
  members[0]?.notes.add('changed', ['spec', 'dependsOn'], {
    message: `${dependency} is not among what was imported here`,
    remedy: 'A generator of that name must be in the repository: import it, too, or take the line away.',
  });
  return [dependency];
}

function tellClusters(members: readonly FluxDraft[], clusters: readonly string[]): void {
  const [first, ...others] = members;
  if (first === undefined) return;
  if (others.length > 0) {
    first.notes.add('changed', ['spec', 'path'], {
      message: `one generator stands for the Kustomizations ${first.name} of ${clusters.join(', ')}`,
      remedy: 'Give these clusters a label, and select that, so that a new cluster needs no change here.',
    });
  } else if (clusters.length === 0) {
    first.notes.add('unsupported', ['spec'], {
      message: 'which cluster it is for is not said: it is written for every cluster',
      remedy: 'Set clusterSelector; or say --cluster NAME, or import clusters/NAME/… by that path.',
    });
  }
}
