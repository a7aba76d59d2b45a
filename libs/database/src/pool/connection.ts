import { AppError, DATABASE_WAITS } from '@frontdesk/service';
import pg from 'pg';

const INT8 = 20;
const DATE = 1082;

/** bigint as a number: an id beyond the safe integers would silently become another one, so it throws instead. */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('A bigint is beyond the safe integers.');
  return value;
}

pg.types.setTypeParser(INT8, parseInt8);
// A calendar date has no instant; pg would make it midnight of the process's own time zone.
pg.types.setTypeParser(DATE, (text: string) => text);
// Written in the process's own time zone, instants of before standard time would lose the seconds of their offset.
pg.defaults.parseInputDatesAsUTC = true;

/** Bounds of every wait on PostgreSQL, in milliseconds. All names but the first two are node-postgres's. */
export const CONNECTION_BOUNDS = {
  /** How long a tenant's request waits for a connection while other tenants wait too; else `connectionTimeoutMillis` bounds it. */
  tenantWaitMs: DATABASE_WAITS.tenant,
  /** How long a request waits for the end of a statement or transaction, with the wait for a connection. */
  requestMs: DATABASE_WAITS.request,
  connectionTimeoutMillis: DATABASE_WAITS.connection,
  idleTimeoutMillis: 30_000,
  statement_timeout: 15_000,
  // The server's own bounds don't help when nothing of it arrives any more: this one is kept by the client.
  query_timeout: 20_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 20_000,
  keepAlive: true,
};

export type ConnectionBounds = typeof CONNECTION_BOUNDS;

/** A connection's `options`: PostgreSQL's settings for the whole session. */
export const sessionOptions = (settings: Record<string, string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

export interface QueryResult<Row> {
  rows: Row[];
  rowCount: number | null;
}

export interface NamedQuery {
  /** Without a name PostgreSQL plans the statement anew each time, for the values given. */
  name?: string;
  text: string;
  values: unknown[];
}

/** A pool or one of its connections. */
export interface Queryable {
  query(query: NamedQuery): Promise<QueryResult<unknown>>;
  /** A connection's socket; a pool has none. */
  connection?: { stream: { destroy(): void; cork(): void; uncork(): void } };
}

const READ_ONLY = '25006';
// Class 08 and 57P: the connection is lost or the server is going down or coming up; 53: it has no room on its disk, no memory or no
// connection left; 25006: it takes no writes, as a standby doesn't; 55P03 and 57014: a wait came to its bound; 28P01, after the start: the
// password is being replaced.
const UNAVAILABLE =
  /^(08...|57P0[1-5]|53[123]00|25006|55P03|57014|28P01|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;

/** What PostgreSQL or node-postgres reported, also behind our 503. */
const causeIn = (error: unknown) => {
  const cause = error instanceof AppError ? error.cause : error;
  return databaseError(cause) ?? cause;
};

/** Whether the server took so long that its connection is not to be trusted with another statement. */
export function isReadTimeout(error: unknown): boolean {
  const cause = causeIn(error);
  return cause instanceof Error && cause.message === 'Query read timeout';
}

/** Whether the server takes no writes. */
export const isReadOnly = (error: unknown): boolean =>
  (causeIn(error) as DatabaseError | undefined)?.code === READ_ONLY;

/** A lost database is not the caller's fault and may be tried again: 503, where other errors stay what they are. */
export function asUnavailable(error: unknown): unknown {
  const { code, message } = databaseError(error) ?? {};
  const isLost =
    UNAVAILABLE.test(code ?? '') ||
    /^(timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error)/.test(
      message ?? '',
    );
  if (!isLost) return error;
  return new AppError(
    'service_unavailable',
    'The service is not available at the moment. Please try again.',
    {
      cause: error,
      headers: { 'retry-after': '1' },
    },
  );
}

/** SQLSTATE of an error from node-postgres, also where TypeORM has wrapped it. */
export function sqlState(error: unknown): string | undefined {
  return databaseError(error)?.code;
}

/** Whether the error is this constraint's refusal: unique, exclusion, foreign key or check. */
export function isConstraintViolation(error: unknown, constraint: string): boolean {
  const found = databaseError(error);
  return found?.code?.startsWith('23') === true && found.constraint === constraint;
}

export interface DatabaseError {
  code?: string;
  table?: string;
  column?: string;
  constraint?: string;
  /** Of PostgreSQL's source, that raised it. */
  file?: string;
  message?: string;
}

/** An error from node-postgres, also where TypeORM has wrapped it. */
export function databaseError(error: unknown): DatabaseError | undefined {
  if (error instanceof AppError) return undefined;
  const wrapped = (error as { driverError?: DatabaseError } | null)?.driverError;
  return wrapped ?? (error as DatabaseError | undefined);
}
