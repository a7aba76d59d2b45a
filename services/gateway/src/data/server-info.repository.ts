import { type SystemScope, systemSql } from '@frontdesk/database';

const read = systemSql<{ version: string; connections: number; max_connections: number }>(
  'server_info',
  `select split_part(current_setting('server_version'), ' ', 1) as version,
     (select sum(numbackends) from pg_stat_database)::int as connections,
     current_setting('max_connections')::int as max_connections`,
);

/** The release of PostgreSQL, and how many connections of all services it has. */
export const readServerInfo = (system: SystemScope) => system.one(read);
