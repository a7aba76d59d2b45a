import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** JSON lines on stdout, named after the service. Keys, bodies and phone numbers are never handed to it. */
export function createLogger(options: { name: string; level: string }): Logger {
  return pino({ name: options.name, level: options.level, timestamp: pino.stdTimeFunctions.isoTime });
}
