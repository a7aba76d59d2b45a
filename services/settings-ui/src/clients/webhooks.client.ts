import {
  type CreateEndpoint,
  createdEndpoint,
  type FieldFault,
  rotatedSecret,
  webhooksRoutes as routes,
  type UpdateEndpoint,
} from '@frontdesk/contracts';
import { AppError, notFound } from '@frontdesk/service';
import type { TenantApi } from './tenant-api.client.ts';

export type EndpointChange = Pick<UpdateEndpoint, 'url' | 'events'>;

export type WebhooksClient = ReturnType<typeof createWebhooksClient>;

export const createWebhooksClient = (webhooks: TenantApi) => ({
  endpoints: (tenantId: number) => webhooks.get(routes.listEndpoints, { tenantId }),
  endpoint: (tenantId: number, id: number) => webhooks.get(routes.getEndpoint, { tenantId, id }),
  /** Only a repetition may have no secret, and these requests are none. So for `rotateSecret`. */
  addEndpoint: async (tenantId: number, body: CreateEndpoint) =>
    createdEndpoint.parse(await webhooks.change(routes.createEndpoint, { tenantId, body })),
  /**
   * Why the address can't be an endpoint's: one without events is never added. Null where it can, or the
   * service can't say.
   */
  urlFaults: (tenantId: number, url: string): Promise<FieldFault[] | null> =>
    webhooks.change(routes.createEndpoint, { tenantId, body: { url, events: [] } }).then(
      () => null,
      (error: unknown) => (error instanceof AppError && error.faults?.url) || null,
    ),
  changeEndpoint: (tenantId: number, id: number, body: EndpointChange) =>
    webhooks.change(routes.updateEndpoint, { tenantId, id, body }),
  setActive: (tenantId: number, id: number, is_active: boolean) =>
    webhooks.change(routes.updateEndpoint, { tenantId, id, body: { is_active } }),
  deleteEndpoint: (tenantId: number, id: number) => webhooks.change(routes.deleteEndpoint, { tenantId, id }),
  rotateSecret: async (tenantId: number, id: number, force: boolean) =>
    rotatedSecret.parse(await webhooks.change(routes.rotateSecret, { tenantId, id, body: { force } })),
  sendTest: (tenantId: number, id: number) => webhooks.change(routes.sendTest, { tenantId, id }),
  deliveries: (tenantId: number, query: URLSearchParams) =>
    webhooks.get(routes.listDeliveries, { tenantId, query }),
  deliverySummaries: (tenantId: number, query: URLSearchParams) =>
    webhooks.get(routes.listDeliverySummaries, { tenantId, query }),
  /** What the log lacks. */
  gaps: (tenantId: number) => webhooks.get(routes.listDeliveryGaps, { tenantId }),
  /** Without its payload and attempts, which may be large. @throws AppError 404 */
  async deliverySummary(tenantId: number, id: number) {
    const [summary] = await webhooks.get(routes.listDeliverySummaries, { tenantId, query: { id } });
    if (!summary) throw notFound('Delivery');
    return summary;
  },
  delivery: (tenantId: number, id: number) => webhooks.get(routes.getDelivery, { tenantId, id }),
  sendNow: (tenantId: number, id: number) => webhooks.change(routes.sendNow, { tenantId, id }),
  resend: (tenantId: number, id: number) => webhooks.change(routes.resendDelivery, { tenantId, id }),
});
