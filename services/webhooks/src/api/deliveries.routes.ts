import { idempotent } from '@frontdesk/chassis';
import {
  dataOf,
  deliveryDetail,
  deliverySchema,
  deliverySummary,
  listDeliveriesQuery,
  pageOf,
  pathId,
} from '@frontdesk/contracts';
import type { Database } from '@frontdesk/database';
import { type App, notFound, ok, page } from '@frontdesk/service';
import {
  findDeliveryWithAttempts,
  listDeliveries,
  listDeliverySummaries,
} from '../data/delivery.repository.ts';
import { deliveryDetailRecord, deliveryRecord, deliverySummaryRecord } from '../domain/delivery.ts';
import { feedInLog } from '../use-cases/feed-cursors.ts';
import { resendDelivery } from '../use-cases/resend-delivery.ts';
import { sendNow } from '../use-cases/send-now.ts';
import { sendTest } from '../use-cases/send-test.ts';
import type { SettledFeed } from '../use-cases/settle-feed.ts';

const WEBHOOKS = '/internal/tenants/:tenant_id/webhooks';
const LIST = `${WEBHOOKS}/deliveries` as const;
const params = pathId.loose();
const config = { resource: 'Delivery' };

interface DeliveryDeps {
  database: Database;
  settled: Pick<SettledFeed, 'number'>;
  onWaiting: () => void;
}

export function deliveryRoutes(app: App, { database, settled, onWaiting }: DeliveryDeps): void {
  app.get(
    LIST,
    { schema: { querystring: listDeliveriesQuery, response: { 200: pageOf(deliverySchema) } } },
    async ({ tenantId, query }) => {
      const { rows, ...meta } = await listDeliveries(database, tenantId, query);
      const feed = await feedInLog({ database, settled }, tenantId);
      return page(
        rows.map((row) => deliveryRecord(row, feed)),
        { ...query, ...meta },
      );
    },
  );

  app.get(
    `${LIST}/summaries`,
    { schema: { querystring: listDeliveriesQuery, response: { 200: pageOf(deliverySummary) } } },
    async ({ tenantId, query }) => {
      const { rows, ...meta } = await listDeliverySummaries(database, tenantId, query);
      const feed = await feedInLog({ database, settled }, tenantId);
      return page(
        rows.map((row) => deliverySummaryRecord(row, feed)),
        { ...query, ...meta },
      );
    },
  );

  app.get(
    `${LIST}/:id`,
    { config, schema: { params, response: { 200: dataOf(deliveryDetail) } } },
    async ({ tenantId, params: { id } }) => {
      const row = await findDeliveryWithAttempts(database.forTenant(tenantId), id);
      if (row === null) throw notFound(config.resource);
      return ok(deliveryDetailRecord(row, await feedInLog({ database, settled }, tenantId)));
    },
  );

  for (const [path, resource, work] of [
    [`${LIST}/:id/resend`, config.resource, resendDelivery],
    [`${LIST}/:id/send-now`, config.resource, sendNow],
    [`${WEBHOOKS}/:id/test`, 'Webhook endpoint', sendTest],
  ] as const)
    app.post(
      path,
      { config: { resource }, schema: { params, response: { 202: dataOf(deliverySchema) } } },
      async (request, reply) => {
        const scope = database.forTenant(request.tenantId);
        // Before the transaction, which nothing could settle beside.
        const feed = await feedInLog({ database, settled }, request.tenantId);
        return idempotent({ request, reply, scope }, async (transaction) => {
          const answer = await transaction(async (tx) => ({
            status: 202,
            body: ok(deliveryRecord(await work(tx, request.params.id), feed)),
          }));
          onWaiting();
          return answer;
        });
      },
    );
}
