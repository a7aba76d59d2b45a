import type { Logger, Part } from '@frontdesk/service';
import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { CONNECTION_BOUNDS, type Queryable, sessionOptions } from './connection.ts';
import { createSystemExecutor } from './executor.ts';
import { type MigrationClass, pendingMigrations } from './migrate.ts';
import type { SystemScope, TenantScope } from './scopes.ts';
import { systemSql } from './statements.ts';
import { createTenantScope } from './tenant-scope.ts';
import { inTransaction } from './transaction.ts';

export interface Database extends Part {
  readonly url: string;
  readonly system: SystemScope;
  forTenant(tenantId: number): TenantScope;
  /** Calls the listener after each commit that wrote to the outbox. */
  onEmitted(listener: () => void): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const ping = systemSql<{ alive: number }>('ping', 'select 1 as alive');

/** A service's own database: a bounded pool, reached only through scopes. `start` refuses a schema older than ours. */
export function createDatabase(options: {
  url: string;
  poolMax?: number;
  entities?: NonNullable<DataSourceOptions['entities']>;
  migrations: readonly MigrationClass[];
  /** PostgreSQL's settings for every session, beside those that all services have, for example `{ enable_hashjoin: 'off' }`. */
  sessionSettings?: Record<string, string>;
  logger: Logger;
}): Database {
  const { url, poolMax = 4, entities = [], migrations, sessionSettings, logger } = options;
  const dataSource = new DataSource({
    type: 'postgres',
    driver: pg,
    url,
    entities,
    installExtensions: false,
    extra: { max: poolMax, ...CONNECTION_BOUNDS, options: sessionOptions(sessionSettings) },
    poolErrorHandler: (error: unknown) => logger.warn({ err: error }, 'an idle database connection was lost'),
  });
  // The pool exists once the data source is initialised.
  const queryable: Queryable = {
    query: (query) => (dataSource.driver as unknown as { master: Queryable }).master.query(query),
  };
  const emitted: (() => void)[] = [];

  return {
    name: 'database',
    url,
    system: {
      ...createSystemExecutor(queryable),
      transaction: (work) => inTransaction(dataSource, ({ client }) => work(createSystemExecutor(client))),
    },
    forTenant: (tenantId) =>
      createTenantScope({
        tenantId,
        queryable,
        manager: dataSource.manager,
        transact: (work) => inTransaction(dataSource, work),
        onEmitted: () => {
          for (const listener of emitted) listener();
        },
      }),
    onEmitted: (listener) => {
      emitted.push(listener);
    },
    async start() {
      await dataSource.initialize();
      const pending = await pendingMigrations(dataSource, migrations);
      if (pending.length > 0)
        throw new Error(`The database schema is too old, migrate first: ${pending.join(', ')}`);
    },
    async stop() {
      if (dataSource.isInitialized) await dataSource.destroy();
    },
    async ready() {
      await queryable.query({ name: ping.name, text: ping.text, values: [] });
      return null;
    },
  };
}
