import {
  type CreateCallSource,
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

const SOURCES = '/call-sources';
const MESSAGES = '/call-messages';

export const createCallsClient = (calls: TenantApi) => ({
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
