import { type CreateCallSource, callsRoutes as routes, type UpdateCallSource } from '@frontdesk/contracts';
import { notFound } from '@frontdesk/service';
import type { By } from '../session/session.rules.ts';
import type { TenantApi } from './tenant-api.client.ts';

export const createCallsClient = (calls: TenantApi) => ({
  /** By the query of the API's list, `source_id` and `appointment_id`. */
  list: (by: By, query: Record<string, string>) => calls.getPage(routes.listCalls, { by, query }),
  /** @throws AppError 404 */
  find: (by: By, id: number) => calls.get(routes.getCall, { by, id }),
  /** Missed calls by number: how many of each to list, of how many days. */
  callBacks: (by: By, query: { days: number; open: number; done: number }) =>
    calls.get(routes.listCallBacks, { by, query }),
  markCalledBack: (by: By, id: number, email: string) =>
    calls.change(routes.markCalledBack, { by, id, body: { by: email } }),
  unmarkCalledBack: (by: By, id: number) => calls.change(routes.unmarkCalledBack, { by, id }),
  /** The call names this appointment from now on, whatever its messages say. */
  linkAppointment: (by: By, id: number, appointment_id: number) =>
    calls.change(routes.linkAppointment, { by, id, body: { appointment_id } }),
  sources: (by: By) => calls.get(routes.listSources, { by }),
  quotaUsage: (by: By) => calls.get(routes.getQuotaUsage, { by }),
  source: (by: By, id: number) => calls.get(routes.getSource, { by, id }),
  addSource: (by: By, body: CreateCallSource) => calls.change(routes.createSource, { by, body }),
  changeSource: (by: By, id: number, body: UpdateCallSource) =>
    calls.change(routes.updateSource, { by, id, body }),
  deleteSource: (by: By, id: number) => calls.change(routes.deleteSource, { by, id }),
  rotateSecret: (by: By, id: number, body: { secret?: string | null | undefined }) =>
    calls.change(routes.rotateSecret, { by, id, body }),
  testCall: (by: By, id: number, body: { from_number?: string | null | undefined; is_real: boolean }) =>
    calls.change(routes.makeTestCall, { by, id, body }),
  messages: (by: By, query: Record<string, string>) => calls.get(routes.listMessages, { by, query }),
  /** Without its body, which may be large. @throws AppError 404 */
  async messageSummary(by: By, id: number) {
    const [message] = await calls.get(routes.listMessages, { by, query: { id } });
    if (!message) throw notFound('Call message');
    return message;
  },
  message: (by: By, id: number) => calls.get(routes.getMessage, { by, id }),
  readAgain: (by: By, id: number) => calls.change(routes.replayMessage, { by, id }),
  deleteMessage: (by: By, id: number) => calls.change(routes.deleteMessage, { by, id }),
});
