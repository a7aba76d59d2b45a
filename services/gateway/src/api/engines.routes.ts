import { setTimeout as delay } from 'node:timers/promises';
import { dataOf, type EngineStatus, engineStatus } from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type KafkaClient, withAdmin } from '@frontdesk/events';
import { type App, ok } from '@frontdesk/service';
import type { Redis } from 'ioredis';
import { readServerInfo } from '../data/server-info.repository.ts';

/** An engine that takes longer counts as away: clients of Kafka would try for most of a minute. */
const ANSWERS_WITHIN_MS = 5_000;

export interface EngineRoutesDeps {
  database: Database;
  redis: Redis;
  kafka: KafkaClient;
}

/** The engines as they answer at this moment, for operators. The gateway is the service that uses all of them. */
export function engineRoutes(app: App, { database, redis, kafka }: EngineRoutesDeps): void {
  app.get('/internal/engines', { schema: { response: { 200: dataOf(engineStatus.array()) } } }, async () =>
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

/** What an engine answers; that it doesn't in time is an answer too. */
const statusOf = async (
  engine: EngineStatus['engine'],
  ask: () => Promise<Pick<EngineStatus, 'version' | 'detail'>>,
): Promise<EngineStatus> => {
  const late = delay(ANSWERS_WITHIN_MS, null, { ref: false });
  const answer = await Promise.race([ask(), late]).catch(() => null);
  return answer
    ? { engine, is_reached: true, ...answer }
    : { engine, is_reached: false, version: null, detail: null };
};
