import {
  type CreateCallSource,
  callAdminSchema,
  callBacksSchema,
  callListAdminEntry,
  callMessageSchema,
  callMessageWithBody,
  callSourceSchema,
  callSourceWithSecret,
  quotaUsageSchema,
  removedRecord,
  testCallSchema,
  type UpdateCallSource,
} from '@frontdesk/contracts';
import { notFound } from '@frontdesk/service';
import type { TenantApi } from './tenant-api.ts';

const CALLS = '/calls';
const SOURCES = '/call-sources';
const MESSAGES = '/call-messages';

export const createCallsClient = (calls: TenantApi) => ({
  /** By the query of the API's list, and `source_id`. */
  list: (tenantId: number, query: Record<string, string>) =>
    calls.getPage(tenantId, `${CALLS}?${new URLSearchParams(query)}`, callListAdminEntry.array()),
  /** @throws AppError 404 */
  find: (tenantId: number, id: number) => calls.get(tenantId, `${CALLS}/${id}`, callAdminSchema),
  /** Missed calls by number: how many of each to list, of how many days. */
  callBacks: (tenantId: number, asked: { days: number; open: number; done: number }) => {
    const query = new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)]));
    return calls.get(tenantId, `/call-backs?${query}`, callBacksSchema);
  },
  markCalledBack: (tenantId: number, id: number, by: string) =>
    calls.put(tenantId, `${CALLS}/${id}/called-back`, callListAdminEntry, { body: { by } }),
  unmarkCalledBack: (tenantId: number, id: number) =>
    calls.delete(tenantId, `${CALLS}/${id}/called-back`, callListAdminEntry),
  sources: (tenantId: number) => calls.get(tenantId, SOURCES, callSourceSchema.array()),
  quotaUsage: (tenantId: number) => calls.get(tenantId, '/quota-usage', quotaUsageSchema),
  source: (tenantId: number, id: number) => calls.get(tenantId, `${SOURCES}/${id}`, callSourceSchema),
  addSource: (tenantId: number, body: CreateCallSource) =>
    calls.post(tenantId, SOURCES, callSourceWithSecret, { body }),
  changeSource: (tenantId: number, id: number, body: UpdateCallSource) =>
    calls.patch(tenantId, `${SOURCES}/${id}`, callSourceSchema, { body }),
  deleteSource: (tenantId: number, id: number) => calls.delete(tenantId, `${SOURCES}/${id}`, removedRecord),
  rotateSecret: (tenantId: number, id: number, body: { secret?: string | null | undefined }) =>
    calls.post(tenantId, `${SOURCES}/${id}/rotate`, callSourceWithSecret, { body }),
  testCall: (
    tenantId: number,
    id: number,
    body: { from_number?: string | null | undefined; is_real: boolean },
  ) => calls.post(tenantId, `${SOURCES}/${id}/test-call`, testCallSchema, { body }),
  messages: (tenantId: number, query: Record<string, string>) =>
    calls.get(tenantId, `${MESSAGES}?${new URLSearchParams(query)}`, callMessageSchema.array()),
  /** Without its body, which may be large. @throws AppError 404 */
  async messageSummary(tenantId: number, id: number) {
    const [message] = await calls.get(tenantId, `${MESSAGES}?id=${id}`, callMessageSchema.array());
    if (!message) throw notFound('Call message');
    return message;
  },
  message: (tenantId: number, id: number) => calls.get(tenantId, `${MESSAGES}/${id}`, callMessageWithBody),
  readAgain: (tenantId: number, id: number) =>
    calls.post(tenantId, `${MESSAGES}/${id}/replay`, callMessageSchema),
  deleteMessage: (tenantId: number, id: number) => calls.delete(tenantId, `${MESSAGES}/${id}`, removedRecord),
});
