import type { BenchEnvironment } from '../support/environment.ts';

/** What crm reads from its environment beside its ports; tenants are all there, so nobody is asked. */
export function crmEnv(environment: BenchEnvironment): Record<string, string> {
  const nobody = 'http://127.0.0.1:9';
  return {
    DATABASE_URL: environment.databaseUrl,
    KAFKA_BROKERS: environment.kafkaBrokers,
    KAFKA_PREFIX: environment.kafkaPrefix,
    IDENTITY_PUBLIC_KEYS_FILE: environment.keys.publicKeys,
    IDENTITY_PRIVATE_KEY_FILE: environment.keys.privateKey('crm'),
    GATEWAY_INTERNAL_URL: nobody,
    SCHEDULING_INTERNAL_URL: nobody,
  };
}
