import { type CreateReplay, deliverySummary, missedEvents, replaySchema } from '@frontdesk/contracts';
import type { ServiceClient } from '@frontdesk/service';

export type ReplaysClient = ReturnType<typeof createReplaysClient>;

/** Enough to see what is running and what came before it. */
const SHOWN = 5;

/** Sending again what an endpoint has missed, by the webhooks' internal API. */
export function createReplaysClient(webhooks: ServiceClient, options: { readTimeoutMs: number }) {
  const pathOf = (tenantId: number) => `/internal/tenants/${tenantId}/webhooks`;
  const read = { method: 'GET', timeoutMs: options.readTimeoutMs } as const;

  return {
    /** Of one endpoint, the newest first. */
    async latest(tenantId: number, endpointId: number) {
      const path = `${pathOf(tenantId)}/${endpointId}/replays?per_page=${SHOWN}`;
      return (await webhooks.requestPage({ ...read, tenantId, path, schema: replaySchema.array() })).rows;
    },
    /** How many deliveries of an endpoint have failed. */
    async failedCount(tenantId: number, endpointId: number) {
      const path = `${pathOf(tenantId)}/deliveries/summaries?endpoint_id=${endpointId}&status=failed&per_page=1`;
      return (await webhooks.requestPage({ ...read, tenantId, path, schema: deliverySummary.array() })).total;
    },
    /** What came in for an endpoint while it was last paused or disabled, and has not gone to it. */
    missed: (tenantId: number, endpointId: number) =>
      webhooks.request({
        ...read,
        tenantId,
        path: `${pathOf(tenantId)}/${endpointId}/missed`,
        schema: missedEvents,
      }),
    begin: (tenantId: number, endpointId: number, body: CreateReplay) =>
      webhooks.request({
        method: 'POST',
        tenantId,
        path: `${pathOf(tenantId)}/${endpointId}/replays`,
        body: body.kind === 'window' ? body : { kind: body.kind },
        schema: replaySchema,
      }),
    replay: (tenantId: number, id: number) =>
      webhooks.request({
        ...read,
        tenantId,
        path: `${pathOf(tenantId)}/replays/${id}`,
        schema: replaySchema,
      }),
    cancel: (tenantId: number, id: number) =>
      webhooks.request({
        method: 'POST',
        tenantId,
        path: `${pathOf(tenantId)}/replays/${id}/cancel`,
        schema: replaySchema,
      }),
  };
}
