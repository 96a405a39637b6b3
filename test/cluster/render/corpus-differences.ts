/** What we store of a file, seen from what kubectl stores: the same, only more or fewer objects, or other content. */
export type Relation = 'same' | 'more' | 'less' | 'other';

export interface Difference {
  readonly why: string;
  /** Beside `kubectl apply` and beside `kubectl apply --server-side`. */
  readonly relation: readonly [clientSide: Relation, serverSide: Relation];
  readonly files: readonly string[];
}

/** Every file of the corpus of which we do not store what kubectl does, and why; docs/fleet-repository.md tells the rules. */
export const differences: readonly Difference[] = [
  {
    why: 'what is not well-formed is refused; kubectl puts replacement characters in its place',
    relation: ['less', 'less'],
    files: ['bytes-latin-1', 'json-half-a-surrogate', 'tags-binary-bytes'],
  },
  {
    why: 'U+0085 and U+2028 break a line for kubectl and not for YAML 1.2, so they are refused',
    relation: ['less', 'less'],
    files: ['bytes-line-separator', 'bytes-line-separator-in-a-comment', 'bytes-next-line'],
  },
  {
    why: 'what is text for kubectl and a key for YAML 1.2, or the other way, is refused',
    relation: ['less', 'less'],
    files: ['flow-colon-at-the-end', 'flow-question-mark'],
  },
  {
    why: 'numbers that would lose digits are refused; kubectl stores others',
    relation: ['less', 'less'],
    files: ['ints-beyond-53-bits', 'ints-of-20-digits', 'json-integer-beyond-53-bits'],
  },
  {
    why: 'of a key that is there twice kubectl drops all but the last without a word',
    relation: ['less', 'less'],
    files: ['json-duplicate-keys', 'keys-duplicate', 'keys-duplicate-in-disguise'],
  },
  {
    why: 'a tag meant something to whoever wrote it; kubectl passes over it',
    relation: ['less', 'less'],
    files: ['tags-timestamp', 'tags-unknown', 'tags-unknown-on-a-map'],
  },
  { why: 'nesting is limited', relation: ['less', 'less'], files: ['nesting-beyond-100'] },
  {
    why: 'a label or annotation without a value is a mistake; kubectl drops it or stores an empty one',
    relation: ['less', 'less'],
    files: ['object-null-annotation', 'object-null-label'],
  },
  {
    why: 'kubectl ends at the first fault or at an end that is none; every document that can be read is read',
    relation: ['more', 'more'],
    files: [
      'documents-after-dots',
      'documents-on-the-marker-line',
      'documents-one-broken',
      'json-after-yaml',
      'json-lines-then-yaml',
      'list-of-null',
      'list-with-a-broken-item',
    ],
  },
  {
    why: 'kubectl refuses an empty list that Go wrote, and lists in lists',
    relation: ['more', 'more'],
    files: ['list-empty', 'list-in-a-list'],
  },
  {
    why: 'plain YAML that only an old parser cannot read',
    relation: ['more', 'more'],
    files: [
      'blocks-folded-behind-a-tab',
      'blocks-literal-behind-a-tab',
      'bytes-mark-before-the-marker',
      'directive-tag',
      'directive-yaml-1-1',
      'directive-yaml-1-2',
      'flow-behind-tabs',
      'quotes-escaped-slash',
      'quotes-surrogates',
      'tabs-after-dashes',
      'tabs-on-empty-lines',
    ],
  },
  {
    why: 'server-side apply keeps a null where the schema allows one; kubectl drops it before it sends',
    relation: ['other', 'same'],
    files: [
      'anchors',
      'custom-null-spec',
      'custom-nulls',
      'custom-typed-null-default',
      'empty-values',
      'flow-pairs',
      'indents',
      'keys-complex',
      'merge-null-value',
      'object-null-data',
      'object-secret-nulls',
      'tags-collections',
      'tags-null',
    ],
  },
  {
    why: 'server-side apply refuses a null where the schema allows none',
    relation: ['less', 'same'],
    files: ['custom-typed-null'],
  },
  {
    why: 'server-side apply refuses two items of a list that have the same key',
    relation: ['less', 'same'],
    files: ['object-env-twice'],
  },
  {
    why: 'what only a server writes is dropped; kubectl --server-side sends it back and is refused',
    relation: ['same', 'more'],
    files: ['object-exported'],
  },
  {
    why: 'the server reads what is applied as YAML, so kubectl --server-side loses or cannot send some characters',
    relation: ['same', 'more'],
    files: ['json-compact'],
  },
  {
    why: 'the server reads what is applied as YAML, so kubectl --server-side folds line separators away',
    relation: ['same', 'other'],
    files: ['quotes-double'],
  },
];
