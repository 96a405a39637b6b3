import { compareText } from '../model/object-ref.ts';

export const reportFormats = ['text', 'json', 'yaml', 'markdown'] as const;
export type ReportFormat = (typeof reportFormats)[number];

export interface RenderOptions {
  readonly format: ReportFormat;
  /** Whether text carries ANSI colours. */
  readonly color: boolean;
  /** Columns of the terminal; long values are cut to fit. */
  readonly width: number;
  /** Lists unchanged objects, too, and cuts nothing. */
  readonly verbose?: boolean;
  /** An IANA name for times in text; 'UTC' unless given. */
  readonly timeZone?: string;
  /** The settings file that the command was given: commands shown to the reader name it, too. */
  readonly settingsPath?: string;
}

/** The format of that name among those that a command has. @throws RangeError with a message for people. */
export function parseFormat<Format extends string>(name: string, formats: readonly Format[]): Format {
  const found = formats.find((format) => format === name);
  if (found !== undefined) return found;
  throw new RangeError(`there is no format '${name}' here; the formats are ${[...formats].join(', ')}`);
}

/** A copy sorted by a text of each item, the same on every machine. */
export function sortedBy<Item>(items: readonly Item[], textOf: (item: Item) => string): Item[] {
  return [...items].sort((a, b) => compareText(textOf(a), textOf(b)));
}
