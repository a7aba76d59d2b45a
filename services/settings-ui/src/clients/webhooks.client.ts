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
import { notFound, type ServiceClient } from '@frontdesk/service';

export type EndpointChange = Pick<UpdateEndpoint, 'url' | 'events'>;

export type WebhooksClient = ReturnType<typeof createWebhooksClient>;

/** The webhooks' internal API as the admins of one tenant use it; each call names that tenant. */
export function createWebhooksClient(webhooks: ServiceClient, options: { readTimeoutMs: number }) {
  const pathOf = (tenantId: number) => `/internal/tenants/${tenantId}/webhooks`;
  const read = { method: 'GET', timeoutMs: options.readTimeoutMs } as const;
  const onEndpoint = (tenantId: number, id: number) => ({ tenantId, path: `${pathOf(tenantId)}/${id}` });

  return {
    endpoints: (tenantId: number) =>
      webhooks.request({ ...read, tenantId, path: pathOf(tenantId), schema: endpointAdminSchema.array() }),
    endpoint: (tenantId: number, id: number) =>
      webhooks.request({ ...read, ...onEndpoint(tenantId, id), schema: endpointAdminSchema }),
    addEndpoint: (tenantId: number, body: { url: string; events: string[] }) =>
      webhooks.request({ method: 'POST', tenantId, path: pathOf(tenantId), body, schema: createdEndpoint }),
    changeEndpoint: (tenantId: number, id: number, body: EndpointChange) =>
      webhooks.request({ method: 'PATCH', ...onEndpoint(tenantId, id), body, schema: endpointAdminSchema }),
    setActive: (tenantId: number, id: number, is_active: boolean) =>
      webhooks.request({
        method: 'PATCH',
        ...onEndpoint(tenantId, id),
        body: { is_active },
        schema: endpointAdminSchema,
      }),
    deleteEndpoint: (tenantId: number, id: number) =>
      webhooks.request({ method: 'DELETE', ...onEndpoint(tenantId, id), schema: removedRecord }),
    rotateSecret: (tenantId: number, id: number, force: boolean) =>
      webhooks.request({
        method: 'POST',
        tenantId,
        path: `${pathOf(tenantId)}/${id}/rotate-secret`,
        body: { force },
        schema: rotatedSecret,
      }),
    sendTest: (tenantId: number, id: number) =>
      webhooks.request({
        method: 'POST',
        tenantId,
        path: `${pathOf(tenantId)}/${id}/test`,
        schema: deliverySchema,
      }),
    deliveries: (tenantId: number, query: URLSearchParams) =>
      webhooks.request({
        ...read,
        tenantId,
        path: `${pathOf(tenantId)}/deliveries?${query}`,
        schema: deliverySchema.array(),
      }),
    deliverySummaries: (tenantId: number, query: URLSearchParams) =>
      webhooks.request({
        ...read,
        tenantId,
        path: `${pathOf(tenantId)}/deliveries/summaries?${query}`,
        schema: deliverySummary.array(),
      }),
    /** What the log lacks. */
    gaps: (tenantId: number) =>
      webhooks.request({
        ...read,
        tenantId,
        path: `${pathOf(tenantId)}/gaps`,
        schema: deliveryGap.array(),
      }),
    /** Without its payload and attempts, which may be large. @throws AppError 404 */
    async deliverySummary(tenantId: number, id: number) {
      const [summary] = await webhooks.request({
        ...read,
        tenantId,
        path: `${pathOf(tenantId)}/deliveries/summaries?id=${id}`,
        schema: deliverySummary.array(),
      });
      if (!summary) throw notFound('Delivery');
      return summary;
    },
    delivery: (tenantId: number, id: number) =>
      webhooks.request({
        ...read,
        tenantId,
        path: `${pathOf(tenantId)}/deliveries/${id}`,
        schema: deliveryDetail,
      }),
    sendNow: (tenantId: number, id: number) =>
      webhooks.request({
        method: 'POST',
        tenantId,
        path: `${pathOf(tenantId)}/deliveries/${id}/send-now`,
        schema: deliverySchema,
      }),
    resend: (tenantId: number, id: number) =>
      webhooks.request({
        method: 'POST',
        tenantId,
        path: `${pathOf(tenantId)}/deliveries/${id}/resend`,
        schema: deliverySchema,
      }),
  };
}
