import { type DeliveryStatistics, STATISTICS_HOURS, webhooksRoutes } from '@frontdesk/contracts';
import type { Database, TenantReads } from '@frontdesk/database';
import { type App, ok, route } from '@frontdesk/service';
import { listDeliveryCounts, waitingDeliveries } from './delivery-counts.repository.ts';
import { latencyAt } from './latency.rules.ts';

/** How a tenant's deliveries fare, for those who run it. */
export function statisticsRoutes(app: App, { database }: { database: Database }): void {
  route(app, webhooksRoutes.getDeliveryStatistics, async ({ tenantId }) =>
    ok(await deliveryStatisticsOf(database.forTenant(tenantId), Date.now())),
  );
}

const HOUR_MS = 3_600_000;

type CountRow = Awaited<ReturnType<typeof listDeliveryCounts>>[number];

/** What became of a tenant's deliveries in the last hours, the present one among them. */
async function deliveryStatisticsOf(db: TenantReads, now: number): Promise<DeliveryStatistics> {
  const last = Math.floor(now / HOUR_MS) * HOUR_MS;
  const hours = Array.from(
    { length: STATISTICS_HOURS },
    (_, index) => last - (STATISTICS_HOURS - 1 - index) * HOUR_MS,
  );
  const [rows, { endpoints, waiting }] = await Promise.all([
    listDeliveryCounts(db, new Date(hours[0] as number)),
    waitingDeliveries(db),
  ]);
  const byHour = Map.groupBy(rows, ({ hour }) => hour.getTime());
  return {
    hours: hours.map((hour) => {
      const own = byHour.get(hour) ?? [];
      return {
        starts_at: new Date(hour).toISOString(),
        delivered: sumOf(own, 'delivered'),
        failed: sumOf(own, 'failed'),
        latency: latencyOf(own),
      };
    }),
    latency: latencyOf(rows),
    waiting,
    endpoints,
  };
}

const sumOf = (rows: readonly CountRow[], outcome: CountRow['outcome']) =>
  rows.reduce((sum, row) => (row.outcome === outcome ? sum + row.deliveries : sum), 0);

function latencyOf(rows: readonly CountRow[]) {
  const counts = new Map<number, number>();
  for (const { latency_bucket: bucket, deliveries } of rows)
    if (bucket >= 0) counts.set(bucket, (counts.get(bucket) ?? 0) + deliveries);
  const [p50, p95] = [latencyAt(0.5, counts), latencyAt(0.95, counts)];
  return p50 === null || p95 === null ? null : { p50_ms: p50, p95_ms: p95 };
}
