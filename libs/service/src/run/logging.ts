import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** JSON lines on stdout, named after the service. Keys, bodies and phone numbers are never handed to it. */
export function createLogger(options: { name: string; level: string }): Logger {
  return pino({
    name: options.name,
    level: options.level,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: loggedError },
  });
}

/**
 * What a log line says of an error. Other properties stay out: those of database errors hold statements, their values and
 * whole rows, which are personal data.
 */
export function loggedError(error: unknown): object {
  if (!(error instanceof Error)) return { message: textOf(error) };
  const { code, constraint, table } = error as { code?: unknown; constraint?: unknown; table?: unknown };
  return {
    type: error.name,
    message: error.message,
    code,
    constraint,
    table,
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: loggedError(error.cause) }),
  };
}

/** What was thrown need not be an error, nor have a `toString` that works. */
const textOf = (thrown: unknown): string =>
  typeof thrown === 'string' ? thrown : Object.prototype.toString.call(thrown);
