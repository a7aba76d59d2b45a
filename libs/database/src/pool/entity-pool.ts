import pg from 'pg';
import type { DataSource, DataSourceOptions } from 'typeorm';
import {
  type Client,
  type ConnectionPool,
  logLost,
  type PoolOptions,
  poolSettings,
  SurvivingPool,
} from './connection-pool.ts';

export type Entities = NonNullable<DataSourceOptions['entities']>;

/** For services with entities: TypeORM is given the pool, so that entities and statements share transactions. */
export function createEntityPool(options: PoolOptions & { entities: Entities }): ConnectionPool {
  const { url, entities, logger } = options;
  let dataSource: DataSource | undefined;
  let pool: pg.Pool | undefined;
  const keep = (made: pg.Pool) => {
    pool = made;
  };
  class KnownPool extends SurvivingPool {
    constructor(settings?: pg.PoolConfig) {
      super(settings);
      keep(this);
    }
  }
  const started = <Part>(part: Part | undefined): Part => {
    if (!part) throw new Error('The database was not started.');
    return part;
  };
  return {
    queryable: { query: (query) => started(pool).query(query) },
    size: () => ({ open: pool?.totalCount ?? 0, idle: pool?.idleCount ?? 0 }),
    async acquire() {
      const runner = started(dataSource).createQueryRunner();
      const client = (await runner.connect()) as pg.Client & Client;
      const release = async (isBroken: boolean) => {
        // A pool keeps no connection that has been ended.
        if (isBroken) client.end().catch(() => {});
        await runner.release();
      };
      return { client, manager: runner.manager, release };
    },
    async start() {
      const { DataSource } = await import('typeorm');
      dataSource = new DataSource({
        type: 'postgres',
        driver: { ...pg, Pool: KnownPool },
        url,
        entities,
        installExtensions: false,
        extra: poolSettings(options),
        poolErrorHandler: logLost(logger),
      });
      await dataSource.initialize();
    },
    async stop() {
      if (dataSource?.isInitialized) await dataSource.destroy();
    },
  };
}
