import type { Logger } from '@frontdesk/service';
import pg from 'pg';
import type { EntityManager } from 'typeorm';
import { CONNECTION_BOUNDS, type Queryable, sessionOptions } from './connection.ts';

export interface PoolOptions {
  url: string;
  poolMax: number;
  /** PostgreSQL's settings for every session, beside those that all services have. */
  sessionSettings: Record<string, string> | undefined;
  logger: Logger;
}

/** A connection that is one transaction's alone. */
export interface Connection {
  client: Queryable & { query(text: string): Promise<unknown> };
  /** Null where there are no entities. */
  manager: EntityManager | null;
  /** @param isBroken whether nobody else may have it */
  release(isBroken: boolean): Promise<void>;
}

export interface ConnectionPool {
  queryable: Queryable;
  manager(): EntityManager | null;
  acquire(): Promise<Connection>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** node-postgres's settings of a pool; the address is given apart. */
export const poolSettings = ({ poolMax, sessionSettings }: PoolOptions) => ({
  max: poolMax,
  ...CONNECTION_BOUNDS,
  options: sessionOptions(sessionSettings),
});

export const tellLost = (logger: Logger) => (error: unknown) =>
  logger.warn({ err: error }, 'an idle database connection was lost');

/** For services whose tables are no entities: they never load TypeORM. */
export function createPlainPool(options: PoolOptions): ConnectionPool {
  const pool = new pg.Pool({ connectionString: options.url, ...poolSettings(options) });
  pool.on('error', tellLost(options.logger));
  return {
    queryable: pool,
    manager: () => null,
    async acquire() {
      const client = await pool.connect();
      // Whoever has it hears of its loss by the next statement.
      const ignore = () => {};
      client.on('error', ignore);
      return {
        client,
        manager: null,
        async release(isBroken) {
          client.off('error', ignore);
          client.release(isBroken);
        },
      };
    },
    async start() {},
    async stop() {
      if (!pool.ending) await pool.end();
    },
  };
}
