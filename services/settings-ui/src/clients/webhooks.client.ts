import {
  type CreateEndpoint,
  createdEndpoint,
  type FieldFault,
  rotatedSecret,
  webhooksRoutes as routes,
  type UpdateEndpoint,
} from '@frontdesk/contracts';
import { AppError, notFound } from '@frontdesk/service';
import type { By } from '../session/session.rules.ts';
import type { TenantApi } from './tenant-api.client.ts';

export type EndpointChange = Pick<UpdateEndpoint, 'url' | 'events' | 'headers'>;

export type WebhooksClient = ReturnType<typeof createWebhooksClient>;

export const createWebhooksClient = (webhooks: TenantApi) => ({
  endpoints: (by: By) => webhooks.get(routes.listEndpoints, { by }),
  endpoint: (by: By, id: number) => webhooks.get(routes.getEndpoint, { by, id }),
  /** Only a repetition may have no secret, and these requests are none. So for `rotateSecret`. */
  addEndpoint: async (by: By, body: CreateEndpoint) =>
    createdEndpoint.parse(await webhooks.change(routes.createEndpoint, { by, body })),
  /**
   * Why the address can't be an endpoint's: one without events is never added. Null where it can, or the
   * service can't say.
   */
  urlFaults: (by: By, url: string): Promise<FieldFault[] | null> =>
    webhooks.change(routes.createEndpoint, { by, body: { url, events: [] } }).then(
      () => null,
      (error: unknown) => (error instanceof AppError && error.faults?.url) || null,
    ),
  changeEndpoint: (by: By, id: number, body: EndpointChange) =>
    webhooks.change(routes.updateEndpoint, { by, id, body }),
  setActive: (by: By, id: number, is_active: boolean) =>
    webhooks.change(routes.updateEndpoint, { by, id, body: { is_active } }),
  deleteEndpoint: (by: By, id: number) => webhooks.change(routes.deleteEndpoint, { by, id }),
  rotateSecret: async (by: By, id: number, force: boolean) =>
    rotatedSecret.parse(await webhooks.change(routes.rotateSecret, { by, id, body: { force } })),
  sendTest: (by: By, id: number) => webhooks.change(routes.sendTest, { by, id }),
  deliveries: (by: By, query: URLSearchParams) => webhooks.get(routes.listDeliveries, { by, query }),
  deliverySummaries: (by: By, query: URLSearchParams) =>
    webhooks.get(routes.listDeliverySummaries, { by, query }),
  /** What the log lacks. */
  gaps: (by: By) => webhooks.get(routes.listDeliveryGaps, { by }),
  /** Without its payload and attempts, which may be large. @throws AppError 404 */
  async deliverySummary(by: By, id: number) {
    const [summary] = await webhooks.get(routes.listDeliverySummaries, { by, query: { id } });
    if (!summary) throw notFound('Delivery');
    return summary;
  },
  delivery: (by: By, id: number) => webhooks.get(routes.getDelivery, { by, id }),
  sendNow: (by: By, id: number) => webhooks.change(routes.sendNow, { by, id }),
  resend: (by: By, id: number) => webhooks.change(routes.resendDelivery, { by, id }),
});
