import { type EngineStatus, gatewayRoutes } from '@frontdesk/contracts';
import { type Database, type SystemScope, systemSql } from '@frontdesk/database';
import { type KafkaClient, withAdmin } from '@frontdesk/events';
import { within } from '@frontdesk/fair';
import { type App, ok, route } from '@frontdesk/service';
import type { Cluster, Redis } from 'ioredis';

const read = systemSql<{ version: string; connections: number; max_connections: number }>(
  'server_info',
  `select split_part(current_setting('server_version'), ' ', 1) as version,
     (select sum(numbackends) from pg_stat_database)::int as connections,
     current_setting('max_connections')::int as max_connections`,
);

/** The release of PostgreSQL, and how many connections of all services it has. */
const readServerInfo = (system: SystemScope) => system.one(read);

/** An engine that takes longer counts as away: a client of Kafka would try for most of a minute. */
const ANSWERS_WITHIN_MS = 5_000;

export interface EngineRoutesDeps {
  database: Database;
  redis: Redis | Cluster;
  kafka: KafkaClient;
}

/** The engines as they answer at this moment, for operators. The gateway is the service that uses all of them. */
export function engineRoutes(app: App, { database, redis, kafka }: EngineRoutesDeps): void {
  route(app, gatewayRoutes.listEngines, async () =>
    ok(
      await Promise.all([
        statusOf('postgres', async () => {
          const { version, connections, max_connections } = await readServerInfo(database.system);
          return { version, detail: `${connections} of ${max_connections} connections` };
        }),
        statusOf('redis', async () => {
          const info = await redis.info('server');
          return { version: /^redis_version:(\S+)/m.exec(info)?.[1] ?? null, detail: null };
        }),
        statusOf('kafka', async () => {
          const { brokers } = await withAdmin(kafka, (admin) => admin.describeCluster());
          return { version: null, detail: brokers.length === 1 ? '1 broker' : `${brokers.length} brokers` };
        }),
      ]),
    ),
  );
}

/** The state of an engine. One that does not answer in time counts as not reached. */
const statusOf = async (
  engine: EngineStatus['engine'],
  ask: () => Promise<Pick<EngineStatus, 'version' | 'detail'>>,
): Promise<EngineStatus> => {
  const answer = await within(ANSWERS_WITHIN_MS, ask(), () => null).catch(() => null);
  return answer
    ? { engine, is_reached: true, ...answer }
    : { engine, is_reached: false, version: null, detail: null };
};
