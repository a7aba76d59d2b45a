import { type Component, type Logger, type Metrics, traced } from '@frontdesk/service';
import type pg from 'pg';
import { type Cursors, loadCursors } from './lists/cursors.ts';
import { CreateCursorKeys1790000000013 } from './migrations/create-cursor-keys.ts';
import { pendingMigrations } from './migrations/migrate.ts';
import type { MigrationClass } from './migrations/migration.ts';
import { createBulkhead, type Holder } from './pool/bulkhead.ts';
import { ClosingClient } from './pool/closing-client.ts';
import { CONNECTION_BOUNDS, type ConnectionBounds, type Queryable } from './pool/connection.ts';
import { createPlainPool } from './pool/connection-pool.ts';
import { createEntityPool, type Entities } from './pool/entity-pool.ts';
import { watchPool } from './pool/pool-metrics.ts';
import { asRefusal, clientWithPasswordFrom } from './pool/service-password.ts';
import type { SystemScope, TenantScope } from './scope/scopes.ts';
import { systemSql } from './scope/statements.ts';
import { createSystemScope } from './scope/system-scope.ts';
import { createTenantScope } from './scope/tenant-scope.ts';
import { inTransaction, managerOf, onConnection } from './scope/transaction.ts';

export interface Database extends Component {
  readonly url: string;
  /** For connections of one's own to `url`: it knows the password. */
  readonly Client: typeof pg.Client;
  readonly bounds: ConnectionBounds;
  readonly system: SystemScope;
  /** The same for requests that belong to no tenant yet, such as a sign-in: they are answered in time. */
  readonly systemForRequests: SystemScope;
  forTenant(tenantId: number): TenantScope;
  /** The same scope for consumers and workers: they wait for connections like the system, not in the tenant's queue. */
  forTenantInBackground(tenantId: number): TenantScope;
  /** Those of lists, and of whatever else goes on from a place. Their key is read at the start: no request waits for it. */
  cursors(): Cursors;
  /** Calls the listener after each commit that wrote to the outbox. */
  onEmitted(listener: () => void): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** What a service's environment (`databaseEnv`) says of its database. Spread it into the options of `createDatabase`. */
export const databaseSettings = (env: {
  DATABASE_URL: string;
  DATABASE_POOL_MAX: number;
  DATABASE_WAIT_MS: number;
  DATABASE_TENANT_WAIT_MS: number;
  DATABASE_REQUEST_MS: number;
  ENGINE_PASSWORDS_FILE?: string | undefined;
}) => ({
  url: env.DATABASE_URL,
  passwordsFile: env.ENGINE_PASSWORDS_FILE,
  poolMax: env.DATABASE_POOL_MAX,
  bounds: {
    connectionTimeoutMillis: env.DATABASE_WAIT_MS,
    tenantWaitMs: env.DATABASE_TENANT_WAIT_MS,
    requestMs: env.DATABASE_REQUEST_MS,
  },
});

/** From the wait for a connection to the commit. Statements hold values, and stay out. */
const transactionSpan = (tenantId?: number) => ({
  kind: 'client' as const,
  attributes: {
    'db.system.name': 'postgresql',
    ...(tenantId !== undefined && { 'frontdesk.tenant.id': tenantId }),
  },
});

const ping = systemSql<{ alive: number }>('ping', 'select 1 as alive');

/** A service's own database: a bounded pool, reached only through scopes. `start` refuses a schema older than ours. */
export function createDatabase(options: {
  url: string;
  /** Where the password lies if the URL has none. */
  passwordsFile?: string | undefined;
  poolMax?: number;
  /** Overrides of the defaults. */
  bounds?: Partial<ConnectionBounds>;
  entities?: Entities;
  migrations: readonly MigrationClass[];
  /** PostgreSQL's settings for every session, for example `{ plan_cache_mode: 'force_generic_plan' }`. */
  sessionSettings?: Record<string, string>;
  logger: Logger;
  metrics?: Metrics;
}): Database {
  const { url, passwordsFile, poolMax = 4, entities, migrations, sessionSettings = {}, logger } = options;
  const bounds = { ...CONNECTION_BOUNDS, ...options.bounds };
  const Client = passwordsFile
    ? clientWithPasswordFrom(passwordsFile, bounds.connectionTimeoutMillis)
    : ClosingClient;
  const settings = { url, Client, poolMax, bounds, sessionSettings, logger };
  const pool = entities ? createEntityPool({ ...settings, entities }) : createPlainPool(settings);
  const bulkhead = createBulkhead({
    connections: poolMax,
    waitMs: { contended: bounds.tenantWaitMs, alone: bounds.connectionTimeoutMillis },
    requestMs: bounds.requestMs,
    metrics: options.metrics,
  });
  const queryableFor = (holder: Holder, isRequest?: boolean): Queryable => ({
    query: (query) => bulkhead.run(holder, () => pool.queryable.query(query), isRequest),
  });
  const emitted: (() => void)[] = [];
  const onEmitted = () => {
    for (const listener of emitted) listener();
  };
  const systemScope = (isRequest: boolean) =>
    createSystemScope({
      queryable: queryableFor('system', isRequest),
      transact: (work) =>
        traced('transaction', transactionSpan(), () =>
          bulkhead.run('system', () => inTransaction(pool, work), isRequest),
        ),
      onEmitted,
    });
  const system = systemScope(false);
  const isReachable = async () => {
    await system.one(ping);
    return true;
  };
  if (options.metrics) {
    watchPool(pool, poolMax, options.metrics);
    options.metrics.watchConnection('postgresql', 'pool', () => isReachable().catch(() => false));
  }
  let cursors: Cursors | undefined;
  const tenantScope = (tenantId: number, holder: Holder) =>
    createTenantScope({
      tenantId,
      queryable: queryableFor(holder),
      withManager: (work) =>
        bulkhead.run(holder, () => onConnection(pool, (connection) => work(managerOf(connection)))),
      transact: (work, opening) =>
        traced('transaction', transactionSpan(tenantId), () =>
          bulkhead.run(holder, () => inTransaction(pool, work, opening)),
        ),
      onEmitted,
      logger,
    });

  return {
    name: 'database',
    url,
    Client,
    bounds,
    system,
    systemForRequests: systemScope(true),
    forTenant: (tenantId) => tenantScope(tenantId, tenantId),
    forTenantInBackground: (tenantId) => tenantScope(tenantId, 'system'),
    cursors() {
      if (!cursors) throw new Error('The database has not been started, or has no key for cursors.');
      return cursors;
    },
    onEmitted: (listener) => {
      emitted.push(listener);
    },
    async start() {
      const findPending = async () => {
        await pool.start();
        return await pendingMigrations(system, migrations);
      };
      const pending = await findPending().catch((error: unknown) => {
        throw asRefusal(error, passwordsFile);
      });
      if (pending.length > 0)
        throw new Error(`The database schema is too old, migrate first: ${pending.join(', ')}`);
      if (migrations.includes(CreateCursorKeys1790000000013)) cursors = await loadCursors(system);
    },
    stop: () => pool.stop(),
    async ready() {
      await isReachable();
      return null;
    },
  };
}
