/** For statements over `pg_locks`: it shows the locks of all databases, and other test files have theirs on the same engine. */
export const IN_OWN_DATABASE = 'database = (select oid from pg_database where datname = current_database())';
