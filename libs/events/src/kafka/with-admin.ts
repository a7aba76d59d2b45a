import type { Admin } from 'kafkajs';

/** A connection of Kafka's administration for as long as `work` takes. `kafka`: a KafkaClient, or kafkajs's own. */
export async function withAdmin<Result>(
  kafka: { admin(): Admin },
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
