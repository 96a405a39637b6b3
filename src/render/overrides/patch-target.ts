import { compileGlob } from '../../config/generator/glob.ts';
import type { PatchTarget } from '../../config/generator/generator.ts';
import type { DesiredObject } from '../../model/desired.ts';
import { isJsonObject, valueAt } from '../../model/json.ts';
import { groupOf } from '../../model/object-ref.ts';
import { type LabelSelector, type Labels, matchesSelector } from '../../model/selector.ts';

/** Tells whether a patch is for an object; `namespace` is that in which the object will live, '' for none. */
export type TargetMatcher = (object: Pick<DesiredObject, 'ref' | 'manifest'>, namespace: string) => boolean;

export function compileTarget(target: PatchTarget): TargetMatcher {
  const { kind, apiVersion, group, labels } = target;
  const name = globOf(target.name);
  const inNamespace = globOf(target.namespace);
  return ({ ref, manifest }, namespace) =>
    (kind === undefined || kind === ref.kind) &&
    (apiVersion === undefined || apiVersion === ref.apiVersion) &&
    (group === undefined || group === groupOf(ref.apiVersion)) &&
    name(ref.name) &&
    inNamespace(namespace) &&
    (labels === undefined || matchesSelector(labels, labelsOf(manifest)));
}

function globOf(glob: string | undefined): (text: string) => boolean {
  return glob === undefined ? () => true : compileGlob(glob, { dot: true });
}

/** A checked manifest's labels are texts. */
function labelsOf(manifest: DesiredObject['manifest']): Labels {
  const labels = valueAt(manifest, 'metadata', 'labels');
  return isJsonObject(labels) ? (labels as Labels) : {};
}

/** 'kind Deployment, name front*, labels app=web'. */
export function describeTarget({ labels, ...names }: PatchTarget): string {
  const parts = Object.entries(names).map(([key, value]) => `${key} ${value === '' ? '""' : value}`);
  return [...parts, ...(labels === undefined ? [] : [`labels ${describeSelector(labels)}`])].join(', ');
}

function describeSelector({ matchLabels, matchExpressions }: LabelSelector): string {
  const equal = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  const others = matchExpressions.map((requirement) => {
    const values = 'values' in requirement ? ` (${requirement.values.join(', ')})` : '';
    return `${requirement.key} ${requirement.operator}${values}`;
  });
  return [...equal, ...others].join(' and ');
}
