import pg from 'pg';
import type { DataSource, DataSourceOptions } from 'typeorm';
import type { Queryable } from './connection.ts';
import {
  type Client,
  type ConnectionPool,
  type PoolOptions,
  poolSettings,
  SurvivingPool,
  tellLost,
} from './connection-pool.ts';

/** What TypeORM's runner does when it learns of a lost connection itself: the pool has it no more. */
interface Droppable {
  releasePostgresConnection(error: Error): Promise<void>;
}

export type Entities = NonNullable<DataSourceOptions['entities']>;

/** For services with entities: TypeORM's own pool, so that entities and statements share transactions. */
export function createEntityPool(options: PoolOptions & { entities: Entities }): ConnectionPool {
  const { url, entities, logger } = options;
  let dataSource: DataSource | undefined;
  const started = () => {
    if (!dataSource) throw new Error('The database was not started.');
    return dataSource;
  };
  const pool = () => (started().driver as unknown as { master: Queryable & pg.Pool }).master;
  return {
    queryable: { query: (query) => pool().query(query) },
    size: () => (dataSource ? { open: pool().totalCount, idle: pool().idleCount } : { open: 0, idle: 0 }),
    async acquire() {
      const runner = started().createQueryRunner();
      const client = (await runner.connect()) as Client;
      const broken = new Error('The connection is broken.');
      const release = (isBroken: boolean) =>
        isBroken ? (runner as unknown as Droppable).releasePostgresConnection(broken) : runner.release();
      return { client, manager: runner.manager, release };
    },
    async start() {
      const { DataSource } = await import('typeorm');
      dataSource = new DataSource({
        type: 'postgres',
        driver: { ...pg, Pool: SurvivingPool },
        url,
        entities,
        installExtensions: false,
        extra: poolSettings(options),
        poolErrorHandler: tellLost(logger),
      });
      await dataSource.initialize();
    },
    async stop() {
      if (dataSource?.isInitialized) await dataSource.destroy();
    },
  };
}
