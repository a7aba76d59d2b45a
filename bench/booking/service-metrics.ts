import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import type { SystemUrls } from '../../scripts/start/processes/service-catalog.ts';
import type { RunningSystem } from '../../scripts/start/system.ts';

const POLL_MS = 100;
const EMPTY_WITHIN_MS = 60_000;

const INTERNAL: Record<string, keyof SystemUrls> = {
  scheduling: 'schedulingInternal',
  crm: 'crmInternal',
  webhooks: 'webhooksInternal',
  gateway: 'gatewayInternal',
};

/** The sum of a metric's values, of all its labels or of those that begin like this. */
async function readMetric(urls: SystemUrls, service: string, name: string): Promise<number> {
  const answer = await fetch(`${urls[INTERNAL[service] as keyof SystemUrls]}/metrics`);
  const lines = (await answer.text()).split('\n');
  const values = lines.filter((line) => line.startsWith(name)).map((line) => Number(line.split(' ').at(-1)));
  return values.reduce((sum, value) => sum + value, 0);
}

/** Seconds that the services that take part in a booking have spent on collecting garbage so far. */
export async function collectionSeconds(urls: SystemUrls): Promise<Record<string, number>> {
  const names = Object.keys(INTERNAL);
  const seconds = names.map((name) => readMetric(urls, name, 'nodejs_gc_duration_seconds_sum'));
  const values = await Promise.all(seconds);
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? 0]));
}

/**
 * How long it takes from now on until crm and webhooks have taken in every event of an appointment, in ms.
 * @throws Error after a minute
 */
export async function emptiedAfter({
  urls,
  engines,
}: Pick<RunningSystem, 'urls' | 'engines'>): Promise<number> {
  const begun = performance.now();
  const changes = await countChanges(engines.databaseUrl);
  const taken = (service: string, group: string) =>
    readMetric(urls, service, `events_consumed_total{group="${group}",topic="appointments"}`);
  for (;;) {
    const counts = await Promise.all([taken('crm', 'crm.appointments'), taken('webhooks', 'webhooks')]);
    if (Math.min(...counts) >= changes) return performance.now() - begun;
    if (performance.now() - begun > EMPTY_WITHIN_MS)
      throw new Error(`Of ${changes} changes only ${counts.join(' and ')} were taken in.`);
    await wait(POLL_MS);
  }
}

/** Each change of an appointment makes its version one higher, and an event. */
async function countChanges(adminUrl: string): Promise<number> {
  const url = new URL(adminUrl);
  url.pathname = '/frontdesk_scheduling';
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    const { rows } = await client.query<{ changes: number }>(
      'select sum(version)::float8 as changes from appointments where customer_id is not null',
    );
    return rows[0]?.changes ?? 0;
  } finally {
    await client.end();
  }
}
