import { fromSetUp } from './from-set-up.ts';

/** The run's real engines; `databaseUrl` is the superuser's. */
export function engines(): { databaseUrl: string; redisUrl: string; kafkaBrokers: string } {
  return {
    databaseUrl: fromSetUp('TEST_DATABASE_URL'),
    redisUrl: fromSetUp('TEST_REDIS_URL'),
    kafkaBrokers: fromSetUp('TEST_KAFKA_BROKERS'),
  };
}
