import type { GeneratorSyncPolicy } from '../../model/desired.ts';
import type { JsonObject, JsonValue } from '../../model/json.ts';
import type { LabelSelector } from '../../model/selector.ts';

/**
 * A generator as its file says it, with every default filled in. Texts that are called templates are Liquid over the
 * cluster, the fleet, the parameters and the item.
 */
export interface Generator {
  readonly name: string;
  readonly clusterSelector: LabelSelector;
  /** A CEL expression; where it is false the generator is not for the cluster, or not for the item. */
  readonly when?: string;
  /** A folder or file from the fleet's root; a template. */
  readonly sourcePath: string;
  /** A source that does not exist gives nothing instead of a fault. */
  readonly optional: boolean;
  readonly render: RenderSettings;
  /** Namespace for namespaced objects that name none; a template. `default` where the generator does not say. */
  readonly namespace?: string;
  readonly parameters: JsonObject;
  /** One rendering for each item; without it there is one rendering and no item. */
  readonly each?: Each;
  readonly overrides: readonly Override[];
  readonly dependsOn: readonly string[];
  readonly sync: GeneratorSyncPolicy;
}

export type RenderType = 'auto' | 'plain' | 'template' | 'kustomize' | 'helm';

export interface RenderSettings {
  readonly type: RenderType;
  /** For charts; never there with a type that renders none. */
  readonly helm?: HelmSettings;
}

export interface HelmSettings {
  /** A template; the generator's name where it is not given. */
  readonly releaseName?: string;
  readonly valuesFiles: readonly ValuesFile[];
  /** Every text in it is a template. */
  readonly values: JsonObject;
  readonly includeCRDs: boolean;
  /** skip: hooks are left out and counted in a warning; apply: they are plain objects, those of tests left out. */
  readonly hooks: 'skip' | 'apply';
  /** '1.34'; that of the cluster where it is not given. */
  readonly kubeVersion?: string;
  /** Beside those of the cluster: 'group/version' or 'group/version/Kind'. */
  readonly apiVersions: readonly string[];
}

export interface ValuesFile {
  /** Relative to the source, or from the fleet's root where it begins with '/'; a template. */
  readonly path: string;
  /** A file that does not exist gives nothing instead of a fault. */
  readonly optional: boolean;
}

/** Where items come from; several kinds multiply. */
export interface Each {
  readonly list?: readonly JsonObject[];
  /** Each folder that matches is an item. */
  readonly directories?: PathPatterns;
  /** Each file that matches holds one item, or a list of them. */
  readonly files?: PathPatterns;
}

/** Globs from the fleet's root: * ? [] {} within a name, ** across folders. */
export interface PathPatterns {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

export interface Override {
  /** Which of the generator's clusters this is for. */
  readonly clusterSelector: LabelSelector;
  /** A CEL expression that must hold as well. */
  readonly when?: string;
  readonly parameters: JsonObject;
  readonly patches: readonly Patch[];
}

export interface Patch {
  readonly target: PatchTarget;
  readonly change: PatchChange;
  /** A target that matches nothing is a fault unless this is set. */
  readonly optional: boolean;
}

export type PatchChange =
  /** RFC 7396. */
  | { readonly kind: 'merge'; readonly merge: JsonObject }
  /** RFC 6902. */
  | { readonly kind: 'json'; readonly operations: readonly JsonOperation[] };

/** One operation of RFC 6902; `path` and `from` are JSON pointers. */
export type JsonOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

/** Which objects a patch is for: every part that is given must hold. */
export interface PatchTarget {
  readonly apiVersion?: string;
  readonly group?: string;
  readonly kind?: string;
  /** A glob. */
  readonly namespace?: string;
  /** A glob. */
  readonly name?: string;
  /** Labels of the object. */
  readonly labels?: LabelSelector;
}
