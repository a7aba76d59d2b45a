import { type CreateCallSource, callsRoutes as routes, type UpdateCallSource } from '@frontdesk/contracts';
import { notFound } from '@frontdesk/service';
import type { TenantApi } from './tenant-api.client.ts';

export const createCallsClient = (calls: TenantApi) => ({
  /** By the query of the API's list, `source_id` and `appointment_id`. */
  list: (tenantId: number, query: Record<string, string>) =>
    calls.getPage(routes.listCalls, { tenantId, query }),
  /** @throws AppError 404 */
  find: (tenantId: number, id: number) => calls.get(routes.getCall, { tenantId, id }),
  /** Missed calls by number: how many of each to list, of how many days. */
  callBacks: (tenantId: number, query: { days: number; open: number; done: number }) =>
    calls.get(routes.listCallBacks, { tenantId, query }),
  markCalledBack: (tenantId: number, id: number, by: string) =>
    calls.change(routes.markCalledBack, { tenantId, id, body: { by } }),
  unmarkCalledBack: (tenantId: number, id: number) => calls.change(routes.unmarkCalledBack, { tenantId, id }),
  /** The call names this appointment from now on, whatever its messages say. */
  linkAppointment: (tenantId: number, id: number, appointment_id: number) =>
    calls.change(routes.linkAppointment, { tenantId, id, body: { appointment_id } }),
  sources: (tenantId: number) => calls.get(routes.listSources, { tenantId }),
  quotaUsage: (tenantId: number) => calls.get(routes.getQuotaUsage, { tenantId }),
  source: (tenantId: number, id: number) => calls.get(routes.getSource, { tenantId, id }),
  addSource: (tenantId: number, body: CreateCallSource) =>
    calls.change(routes.createSource, { tenantId, body }),
  changeSource: (tenantId: number, id: number, body: UpdateCallSource) =>
    calls.change(routes.updateSource, { tenantId, id, body }),
  deleteSource: (tenantId: number, id: number) => calls.change(routes.deleteSource, { tenantId, id }),
  rotateSecret: (tenantId: number, id: number, body: { secret?: string | null | undefined }) =>
    calls.change(routes.rotateSecret, { tenantId, id, body }),
  testCall: (
    tenantId: number,
    id: number,
    body: { from_number?: string | null | undefined; is_real: boolean },
  ) => calls.change(routes.makeTestCall, { tenantId, id, body }),
  messages: (tenantId: number, query: Record<string, string>) =>
    calls.get(routes.listMessages, { tenantId, query }),
  /** Without its body, which may be large. @throws AppError 404 */
  async messageSummary(tenantId: number, id: number) {
    const [message] = await calls.get(routes.listMessages, { tenantId, query: { id } });
    if (!message) throw notFound('Call message');
    return message;
  },
  message: (tenantId: number, id: number) => calls.get(routes.getMessage, { tenantId, id }),
  readAgain: (tenantId: number, id: number) => calls.change(routes.replayMessage, { tenantId, id }),
  deleteMessage: (tenantId: number, id: number) => calls.change(routes.deleteMessage, { tenantId, id }),
});
