import { createSharedLimiter } from '@frontdesk/redis';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { subjectOf, windowsOf } from '../../services/gateway/src/limits/rate-limit.rules.ts';
import { createRandom, type Random } from '../seed/random.ts';

const HOUR_MS = 3_600_000;
const HOURS = 23;
const KEPT_SECONDS = 86_400;
/** Buckets of about 30 ms to 2 s, as `domain/latency.ts` of webhooks cuts them. */
const FIRST_BUCKET = 20;
const USUAL_BUCKETS = 8;
const RARE_BUCKETS = 22;

/**
 * What a busy day before this hour would have left behind in the counts of deliveries and requests. No service takes what is
 * past, so it is written where they keep it: only ever in a system that is made for pictures.
 */
export async function writePastDay(options: {
  webhooksUrl: string;
  redisUrl: string;
  tenantId: number;
  timezone: string;
}): Promise<void> {
  const { tenantId, timezone } = options;
  const random = createRandom(7);
  const lastHour = Math.floor(Date.now() / HOUR_MS);
  const database = new Client({ connectionString: options.webhooksUrl });
  const redis = new Redis(options.redisUrl);
  try {
    await database.connect();
    const [, day] = windowsOf('pro');
    let today = 0;
    for (let back = 1; back <= HOURS; back += 1) {
      const hour = lastHour - back;
      const at = Temporal.Instant.fromEpochMilliseconds(hour * HOUR_MS);
      const busy = busyness(at.toZonedDateTimeISO(timezone).hour);
      const requests = await writeRequests(redis, `requests:{tenant-${tenantId}}:${hour}`, busy, random);
      if (isToday(hour)) today += requests;
      for (const [outcome, bucket, count] of deliveriesOf(busy, random))
        await database.query('insert into delivery_counts values ($1, $2, $3, $4, $5)', [
          ...[tenantId, new Date(hour * HOUR_MS), outcome, bucket, count],
        ]);
    }
    await createSharedLimiter(redis).take(subjectOf(tenantId), day, today);
  } finally {
    redis.disconnect();
    await database.end();
  }
}

const isToday = (hour: number) => Math.floor(hour / 24) === Math.floor(Date.now() / HOUR_MS / 24);

/** From 0 to 1: most at noon, little at night. */
const busyness = (hour: number): number =>
  hour < 6 || hour > 21 ? 0.05 : Math.sin(((hour - 5) / 17) * Math.PI);

async function writeRequests(redis: Redis, key: string, busy: number, random: Random): Promise<number> {
  const allowed = Math.round(busy * 900) + random.below(80);
  await redis.hset(key, 'allowed', allowed);
  if (busy > 0.9) await redis.hset(key, 'denied', 20 + random.below(60));
  await redis.expire(key, KEPT_SECONDS);
  return allowed;
}

function deliveriesOf(busy: number, random: Random): [outcome: string, bucket: number, count: number][] {
  const made = new Map<number, number>();
  for (let left = Math.round(busy * 60) + random.below(6); left > 0; left -= 1) {
    const reach = random.chance(0.12) ? RARE_BUCKETS : USUAL_BUCKETS;
    const bucket = FIRST_BUCKET + random.below(reach);
    made.set(bucket, (made.get(bucket) ?? 0) + 1);
  }
  const failed = busy > 0.5 && random.chance(0.4) ? 1 + random.below(4) : 0;
  const delivered = [...made].map(
    ([bucket, count]) => ['delivered', bucket, count] as [string, number, number],
  );
  return failed > 0 ? [...delivered, ['failed', -1, failed]] : delivered;
}
