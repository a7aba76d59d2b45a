import type { Logger } from '@frontdesk/service';
import pg from 'pg';
import type { EntityManager } from 'typeorm';
import {
  type ConnectionBounds,
  type NamedQuery,
  type Queryable,
  type QueryResult,
  sessionOptions,
} from './connection.ts';

/** What is under way at the stop has so long to end by itself. */
const STOP_WITHIN_MS = 2_000;

export interface PoolOptions {
  url: string;
  /** Of which connections are made. */
  Client: typeof pg.Client;
  poolMax: number;
  bounds: ConnectionBounds;
  /** PostgreSQL's settings for every session. */
  sessionSettings: Record<string, string>;
  logger: Logger;
}

/** node-postgres's client, as far as it is needed here; a string is what has no values, `begin` say. */
export interface Client extends Queryable {
  query(query: NamedQuery | string): Promise<QueryResult<unknown> & { command: string }>;
}

/** A connection that is one transaction's alone. */
export interface Connection {
  client: Client;
  /** Null where there are no entities. */
  manager: EntityManager | null;
  /** @param isBroken whether nobody else may have it */
  release(isBroken: boolean): Promise<void>;
}

export interface ConnectionPool {
  queryable: Queryable;
  /** Connections that are open, and how many of them nobody uses. */
  size(): { open: number; idle: number };
  acquire(): Promise<Connection>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** node-postgres's settings of a pool; the address is given apart. */
export const poolSettings = ({
  Client,
  poolMax,
  bounds: { tenantWaitMs: _tenantWait, requestMs: _request, ...bounds },
  sessionSettings,
}: PoolOptions) => ({
  Client,
  max: poolMax,
  ...bounds,
  // What a transaction sends at once goes to the server and back in one trip.
  pipeline: true,
  options: sessionOptions(sessionSettings),
});

export const logLost = (logger: Logger) => (error: unknown) =>
  logger.warn({ err: error }, 'an idle database connection was lost');

/**
 * A pool that listens to its connections' errors from their first moment. Otherwise an error between the pool's own listener and the
 * next one would end the process. The holder of a lost connection learns of the loss with the next statement.
 */
export class SurvivingPool extends pg.Pool {
  constructor(settings?: pg.PoolConfig) {
    super(settings);
    this.on('connect', (client) => client.on('error', () => {}));
  }
}

/** For services whose tables are no entities: they never load TypeORM. */
export function createPlainPool(options: PoolOptions): ConnectionPool {
  const pool = new SurvivingPool({ connectionString: options.url, ...poolSettings(options) });
  pool.on('error', logLost(options.logger));
  const held = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => held.add(client));
  pool.on('release', (_error, client) => held.delete(client));
  return {
    queryable: pool,
    size: () => ({ open: pool.totalCount, idle: pool.idleCount }),
    async acquire() {
      const client = await pool.connect();
      return { client, manager: null, release: async (isBroken) => client.release(isBroken) };
    },
    async start() {
      (await pool.connect()).release();
    },
    async stop() {
      if (pool.ending) return;
      const timer = setTimeout(() => {
        for (const { connection } of held as Set<Queryable>) connection?.stream.destroy();
      }, STOP_WITHIN_MS);
      await pool.end().finally(() => clearTimeout(timer));
    },
  };
}
