import type { Admin } from 'kafkajs';
import type { KafkaClient } from './kafka-client.ts';

/** A connection of Kafka's administration for as long as `work` takes. */
export async function withAdmin<Result>(
  kafka: KafkaClient,
  work: (admin: Admin) => Promise<Result>,
): Promise<Result> {
  const admin = kafka.admin();
  try {
    await admin.connect();
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}
