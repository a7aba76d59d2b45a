import {
  createdEndpoint,
  deliveryDetail,
  deliveryGap,
  deliverySchema,
  deliverySummary,
  endpointAdminSchema,
  removedRecord,
  rotatedSecret,
  type UpdateEndpoint,
} from '@frontdesk/contracts';
import { AppError, notFound } from '@frontdesk/service';
import type { TenantApi } from './tenant-api.ts';

export type EndpointChange = Pick<UpdateEndpoint, 'url' | 'events'>;

export type WebhooksClient = ReturnType<typeof createWebhooksClient>;

const ENDPOINTS = '/webhooks';
const DELIVERIES = '/webhooks/deliveries';

export const createWebhooksClient = (webhooks: TenantApi) => ({
  endpoints: (tenantId: number) => webhooks.get(tenantId, ENDPOINTS, endpointAdminSchema.array()),
  endpoint: (tenantId: number, id: number) =>
    webhooks.get(tenantId, `${ENDPOINTS}/${id}`, endpointAdminSchema),
  addEndpoint: (tenantId: number, body: { url: string; events: string[] }) =>
    webhooks.post(tenantId, ENDPOINTS, createdEndpoint, { body }),
  /** Why the address can't be an endpoint's: one without events is never added. Null where it can, or the service can't say. */
  urlFaults: (tenantId: number, url: string): Promise<string[] | null> =>
    webhooks.post(tenantId, ENDPOINTS, createdEndpoint, { body: { url, events: [] } }).then(
      () => null,
      (error: unknown) => (error instanceof AppError && error.errors?.url) || null,
    ),
  changeEndpoint: (tenantId: number, id: number, body: EndpointChange) =>
    webhooks.patch(tenantId, `${ENDPOINTS}/${id}`, endpointAdminSchema, { body }),
  setActive: (tenantId: number, id: number, is_active: boolean) =>
    webhooks.patch(tenantId, `${ENDPOINTS}/${id}`, endpointAdminSchema, { body: { is_active } }),
  deleteEndpoint: (tenantId: number, id: number) =>
    webhooks.delete(tenantId, `${ENDPOINTS}/${id}`, removedRecord),
  rotateSecret: (tenantId: number, id: number, force: boolean) =>
    webhooks.post(tenantId, `${ENDPOINTS}/${id}/rotate-secret`, rotatedSecret, { body: { force } }),
  sendTest: (tenantId: number, id: number) =>
    webhooks.post(tenantId, `${ENDPOINTS}/${id}/test`, deliverySchema),
  deliveries: (tenantId: number, query: URLSearchParams) =>
    webhooks.get(tenantId, `${DELIVERIES}?${query}`, deliverySchema.array()),
  deliverySummaries: (tenantId: number, query: URLSearchParams) =>
    webhooks.get(tenantId, `${DELIVERIES}/summaries?${query}`, deliverySummary.array()),
  /** What the log lacks. */
  gaps: (tenantId: number) => webhooks.get(tenantId, `${ENDPOINTS}/gaps`, deliveryGap.array()),
  /** Without its payload and attempts, which may be large. @throws AppError 404 */
  async deliverySummary(tenantId: number, id: number) {
    const path = `${DELIVERIES}/summaries?id=${id}`;
    const [summary] = await webhooks.get(tenantId, path, deliverySummary.array());
    if (!summary) throw notFound('Delivery');
    return summary;
  },
  delivery: (tenantId: number, id: number) => webhooks.get(tenantId, `${DELIVERIES}/${id}`, deliveryDetail),
  sendNow: (tenantId: number, id: number) =>
    webhooks.post(tenantId, `${DELIVERIES}/${id}/send-now`, deliverySchema),
  resend: (tenantId: number, id: number) =>
    webhooks.post(tenantId, `${DELIVERIES}/${id}/resend`, deliverySchema),
});
