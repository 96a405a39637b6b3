/** Where the work on one cluster stands. The last three end it. */
export type ClusterPhase =
  'queued' | 'observing' | 'planning' | 'applying' | 'done' | 'failed' | 'unreachable';

/** What a person at a terminal may want to see while something takes long. Never needed for the result. */
export type ProgressEvent =
  /** A step of the whole, such as 'starting 3 control planes'. */
  | { readonly kind: 'step'; readonly text: string }
  | { readonly kind: 'fetching' }
  | { readonly kind: 'rendering'; readonly done?: number; readonly total?: number }
  | {
      readonly kind: 'cluster';
      readonly cluster: string;
      readonly phase: ClusterPhase;
      /** Objects handled in this phase. */
      readonly done?: number;
      readonly total?: number;
    };

/** Called often, so it must be cheap; it never throws. */
export type ProgressListener = (event: ProgressEvent) => void;
