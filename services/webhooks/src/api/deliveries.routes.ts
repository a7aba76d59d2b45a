import { dataOf, deliverySchema, pageOf, pageQuery, pathId, queryId } from '@frontdesk/contracts';
import { type App, notFound, ok, page } from '@frontdesk/service';
import { z } from 'zod';
import type { DeliveryRepository } from '../data/delivery.repository.ts';
import { attemptSchema } from '../domain/attempt.ts';

const PATH = '/internal/tenants/:tenant_id/webhooks/deliveries';

const listQuery = pageQuery.extend({ endpoint_id: queryId.optional() });
const singleView = deliverySchema.extend({ attempts: z.array(attemptSchema) });

export function deliveryRoutes(app: App, deps: { deliveries: DeliveryRepository }): void {
  const { deliveries } = deps;

  app.get(
    PATH,
    { schema: { querystring: listQuery, response: { 200: pageOf(deliverySchema) } } },
    async (request) => {
      const { rows, total } = await deliveries.page(request.tenantId, request.query);
      return page(rows, { ...request.query, total });
    },
  );

  app.get(
    `${PATH}/:id`,
    {
      schema: { params: pathId, response: { 200: dataOf(singleView) } },
      config: { resource: 'Delivery' },
    },
    async (request) => {
      const delivery = await deliveries.find(request.tenantId, request.params.id);
      if (!delivery) throw notFound('Delivery');
      return ok(delivery);
    },
  );
}
