import { systemSql, tenantSql } from '../scope/statements.ts';

/**
 * A backend takes its transaction's time stamp a moment before it shows it, and the server's clock may be set back a
 * little. Either is far below this; a backend held up for longer just there would be missed.
 */
const MARGIN_SECONDS = 1;

const sqlFrom = (sources: string) =>
  `select extract(epoch from least(now(), min(xact_start)) - interval '${MARGIN_SECONDS} s')::float8 as horizon
   from ${sources}
   where datname = current_database() and usename = current_user and pid <> pg_backend_pid() and xact_start is not null`;

/**
 * The instant before which nothing changes any more, in seconds since the epoch. `updated_at` is never before its
 * transaction's start, so whatever is yet to be committed carries a later one: that of the oldest transaction that is
 * still open, or of one that is yet to begin. Run it on its own, before the statement that reads up to it: what ended in
 * between is then seen by that statement.
 *
 * Only this role's transactions are looked at: nobody else writes to a service's database, nor are others shown to it.
 * Any of them holds the horizon back while it is open, also one that only reads, a dump for example. Relies on
 * `track_activities`, which is on unless a superuser says otherwise.
 */
export const settledHorizon = systemSql<{ horizon: number }>('settled_horizon', sqlFrom('pg_stat_activity'));

/** The same for a tenant's request, which waits for its connection among that tenant's. */
export const settledHorizonForTenant = tenantSql<{ horizon: number }>(
  'settled_horizon_for_tenant',
  sqlFrom('pg_stat_activity, (values ($1::bigint)) as reader (tenant_id)'),
);
