import { type CreateReplay, deliverySummary, missedEvents, replaySchema } from '@frontdesk/contracts';
import type { TenantApi } from './tenant-api.ts';

/** Enough to see what is running and what came before it. */
const SHOWN = 5;

/** Sending again what an endpoint has missed. */
export const createReplaysClient = (webhooks: TenantApi) => ({
  /** Of one endpoint, the newest first. */
  async latest(tenantId: number, endpointId: number) {
    const path = `/webhooks/${endpointId}/replays?per_page=${SHOWN}`;
    return (await webhooks.getPage(tenantId, path, replaySchema.array())).rows;
  },
  /** How many deliveries of an endpoint have failed. */
  async failedCount(tenantId: number, endpointId: number) {
    const path = `/webhooks/deliveries/summaries?endpoint_id=${endpointId}&status=failed&per_page=1`;
    return (await webhooks.getPage(tenantId, path, deliverySummary.array())).total;
  },
  /** What came in for an endpoint while it was last paused or disabled, and has not gone to it. */
  missed: (tenantId: number, endpointId: number) =>
    webhooks.get(tenantId, `/webhooks/${endpointId}/missed`, missedEvents),
  begin: (tenantId: number, endpointId: number, wanted: CreateReplay) =>
    webhooks.post(tenantId, `/webhooks/${endpointId}/replays`, replaySchema, {
      body: wanted.kind === 'window' ? wanted : { kind: wanted.kind },
    }),
  replay: (tenantId: number, id: number) => webhooks.get(tenantId, `/webhooks/replays/${id}`, replaySchema),
  cancel: (tenantId: number, id: number) =>
    webhooks.post(tenantId, `/webhooks/replays/${id}/cancel`, replaySchema),
});
