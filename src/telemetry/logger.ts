import { pino } from 'pino';

import { formatRef } from '../model/object-ref.ts';
import { formatOrigin } from '../model/origin.ts';
import { FleetError } from '../model/fleet-error.ts';
import { prettyLine } from './pretty-line.ts';
import { redact } from './redact.ts';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** What is known beside the message. An Error becomes its code, message and causes; its stack shows at debug only. */
export type LogFields = Readonly<Record<string, unknown>>;

/** The one way to log. Every text that passes is redacted. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A logger that adds these fields to every line, such as the cluster. */
  with(fields: LogFields): Logger;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  /** Gets one whole line a call, its line break included. */
  readonly destination: { write(line: string): void };
  /** A readable line for a terminal in place of JSON. */
  readonly pretty: boolean;
  readonly color?: boolean;
  readonly now: () => Date;
}

export function createLogger(options: LoggerOptions): Logger {
  const { level, destination, pretty, now } = options;
  const write = pretty
    ? (line: string) => {
        destination.write(prettyLine(line, { color: options.color ?? false }));
      }
    : (line: string) => {
        destination.write(line);
      };
  const log = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${now().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  );
  return wrap(log, level === 'debug');
}

/** Redacts before pino serialises, so that no rule can break a line's JSON. */
function wrap(log: pino.Logger, withStack: boolean): Logger {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      if (!log.isLevelEnabled(level)) return;
      log[level](redactFields(fields, withStack), redact(message));
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => wrap(log.child(redactFields(fields, withStack)), withStack),
  };
}

function redactFields(fields: LogFields, withStack: boolean): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, redactValue(value, withStack)]),
  );
}

function redactValue(value: unknown, withStack: boolean, depth = 0): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  // Deeper than this is no log field but a mistake, perhaps a cycle.
  if (depth > 5) return '…';
  if (value instanceof Error) return errorFields(value, withStack, depth);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, withStack, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, redactValue(item, withStack, depth + 1)]),
  );
}

function errorFields(error: Error, withStack: boolean, depth: number): Record<string, unknown> {
  const { cause } = error;
  return {
    ...(error instanceof FleetError ? subjectFields(error) : { name: error.name }),
    message: redact(error.message),
    ...(withStack && error.stack !== undefined ? { stack: redact(error.stack) } : {}),
    ...(cause instanceof Error ? { cause: redactValue(cause, withStack, depth + 1) } : {}),
  };
}

function subjectFields({ code, retry, subject }: FleetError): Record<string, unknown> {
  return {
    code,
    retry,
    ...(subject.cluster !== undefined && { cluster: subject.cluster }),
    ...(subject.ref && { object: formatRef(subject.ref) }),
    ...(subject.origin && { origin: formatOrigin(subject.origin) }),
  };
}
