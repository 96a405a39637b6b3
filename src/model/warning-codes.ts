interface WarningCodeEntry {
  readonly meaning: string;
  readonly remedy: string;
}

/** What `validate` warns of: nothing fails for it, and it is seldom meant. docs/errors.md is made from this table. */
export const warningCodes = {
  SelectorUnmatched: {
    meaning: 'A generator, or one of its overrides, is for no cluster that is known.',
    remedy:
      'Mend the selector or label a cluster. Where it waits for clusters to come, annotate the generator with fleetwright.dev/unmatched: allowed.',
  },
  SourceUnused: {
    meaning: 'A folder or file holds manifests, and no generator reads it.',
    remedy: 'Remove it, or write the generator that reads it.',
  },
  ParameterUnused: {
    meaning: 'A parameter that neither a template nor a condition reads.',
    remedy: 'Remove it, or mend its name where it is set or read.',
  },
  ClusterUnregistered: {
    meaning: 'A folder below clusters/ that is for no registered cluster.',
    remedy: 'Register the cluster, or mend the folder’s name.',
  },
  KindNotServed: {
    meaning: 'A kind in a group of Kubernetes’ own that the version whose schemas are known does not serve.',
    remedy: 'Use the version of the kind that is served; kubectl api-resources lists those of a cluster.',
  },
  ValueChanged: {
    meaning: 'A value that an API server takes and stores as another one.',
    remedy: 'Write the value that is meant.',
  },
  RenderWarning: {
    meaning: 'Something of a rendering that a person should know.',
    remedy: 'See the message.',
  },
} as const satisfies Record<string, WarningCodeEntry>;

export type WarningCode = keyof typeof warningCodes;
