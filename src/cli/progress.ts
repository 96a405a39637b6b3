import picocolors from 'picocolors';

import { neutralise } from '../model/neutralise.ts';
import type { ClusterPhase, ProgressEvent, ProgressListener } from '../model/progress.ts';
import type { Environment } from './environment.ts';

/** What a person at a terminal sees while something takes long. All of its functions may be passed on their own. */
export interface Progress {
  readonly handle: ProgressListener;
  /** Prints whole lines on stderr above what is drawn. */
  readonly message: (lines: string) => void;
  /** Clears what is drawn; the next event draws again. */
  readonly pause: () => void;
  /** Clears what is drawn for good. */
  readonly done: () => void;
}

const redrawMs = 80;
/** More lines than this scroll away faster than anyone reads them. */
const shownClusters = 8;
const ended: ReadonlySet<ClusterPhase> = new Set(['done', 'failed', 'unreachable']);
const clearLine = '\u001b[2K';
const cursorUp = '\u001b[1A';

/** Draws on stderr when that is a terminal; otherwise only messages are printed. */
export function createProgress(environment: Environment, options: { readonly color: boolean }): Progress {
  const { stderr } = environment;
  if (!stderr.isTerminal || environment.env['TERM'] === 'dumb') {
    return {
      handle: () => undefined,
      message: (lines) => {
        stderr.write(lines);
      },
      pause: () => undefined,
      done: () => undefined,
    };
  }
  return new LiveProgress(environment, options.color);
}

interface ClusterLine {
  readonly phase: ClusterPhase;
  readonly done?: number;
  readonly total?: number;
}

/** Redraws on events alone, no more often than `redrawMs`: without a timer nothing of it can outlive the command. */
class LiveProgress implements Progress {
  readonly #environment: Environment;
  readonly #colors: ReturnType<typeof picocolors.createColors>;
  readonly #clusters = new Map<string, ClusterLine>();
  #step = '';
  #drawnLines = 0;
  #drawnAtMs = Number.NEGATIVE_INFINITY;
  #over = false;
  /** The first work is done; what an engine does from now on is for the log, unless a cluster is busy. */
  #calm = false;

  constructor(environment: Environment, color: boolean) {
    this.#environment = environment;
    this.#colors = picocolors.createColors(color);
  }

  readonly handle = (event: ProgressEvent): void => {
    if (event.kind === 'cluster') this.#clusters.set(event.cluster, event);
    else this.#step = stepText(event);
    if (this.#allEnded()) {
      this.#clusters.clear();
      this.#calm = true;
      this.#clear();
      return;
    }
    if (this.#calm && this.#clusters.size === 0) return;
    const nowMs = this.#environment.now().getTime();
    if (this.#over || nowMs - this.#drawnAtMs < redrawMs) return;
    this.#drawnAtMs = nowMs;
    this.#draw();
  };

  readonly message = (lines: string): void => {
    const wasDrawn = this.#drawnLines > 0;
    this.#clear();
    this.#environment.stderr.write(lines);
    if (wasDrawn) this.#draw();
  };

  readonly pause = (): void => {
    this.#clear();
  };

  readonly done = (): void => {
    this.#clear();
    this.#over = true;
  };

  #allEnded(): boolean {
    return this.#clusters.size > 0 && [...this.#clusters.values()].every(({ phase }) => ended.has(phase));
  }

  #draw(): void {
    this.#clear();
    const width = (this.#environment.stderr.columns ?? 80) - 1;
    // A line that wraps could not be cleared again, so each is cut to the width before it is coloured.
    const lines = this.#lines().map((line) =>
      this.#colors.dim(Array.from(neutralise(line)).slice(0, width).join('')),
    );
    this.#environment.stderr.write(lines.map((line) => `${line}\n`).join(''));
    this.#drawnLines = lines.length;
  }

  #clear(): void {
    if (this.#drawnLines > 0)
      this.#environment.stderr.write(`${cursorUp}${clearLine}`.repeat(this.#drawnLines) + '\r');
    this.#drawnLines = 0;
  }

  #lines(): string[] {
    if (this.#clusters.size === 0) return this.#step === '' ? [] : [this.#step];
    const busy = [...this.#clusters].filter(([, { phase }]) => !ended.has(phase) && phase !== 'queued');
    const finished = [...this.#clusters.values()].filter(({ phase }) => ended.has(phase)).length;
    const column = Math.max(0, ...busy.map(([name]) => name.length)) + 2;
    const shown = busy
      .slice(0, shownClusters)
      .map(([name, line]) => `  ${name.padEnd(column)}${phaseText(line)}`);
    const hidden = busy.length > shownClusters ? [`  and ${busy.length - shownClusters} more`] : [];
    return [...shown, ...hidden, `${finished} of ${this.#clusters.size} clusters done`];
  }
}

function phaseText({ phase, done, total }: ClusterLine): string {
  if (done === undefined) return phase;
  return total === undefined ? `${phase} ${done}` : `${phase} ${done}/${total}`;
}

function stepText(event: Exclude<ProgressEvent, { kind: 'cluster' }>): string {
  switch (event.kind) {
    case 'step':
      return event.text;
    case 'fetching':
      return 'fetching from Git';
    case 'rendering': {
      if (event.done === undefined || event.total === undefined) return 'rendering';
      return `rendering ${event.done}/${event.total} clusters`;
    }
  }
}
