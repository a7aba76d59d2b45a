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
import { notFound, type ServiceClient } from '@frontdesk/service';

export type CallsClient = ReturnType<typeof createCallsClient>;

/** The calls' internal API as the admins of one tenant use it; each call names that tenant. */
export function createCallsClient(calls: ServiceClient, options: { readTimeoutMs: number }) {
  const sources = (tenantId: number) => `/internal/tenants/${tenantId}/call-sources`;
  const messages = (tenantId: number) => `/internal/tenants/${tenantId}/call-messages`;
  const read = { method: 'GET', timeoutMs: options.readTimeoutMs } as const;
  const onSource = (tenantId: number, id: number) => ({ tenantId, path: `${sources(tenantId)}/${id}` });
  const onMessage = (tenantId: number, id: number) => ({ tenantId, path: `${messages(tenantId)}/${id}` });

  return {
    sources: (tenantId: number) =>
      calls.request({ ...read, tenantId, path: sources(tenantId), schema: callSourceSchema.array() }),
    quotaUsage: (tenantId: number) =>
      calls.request({
        ...read,
        tenantId,
        path: `/internal/tenants/${tenantId}/quota-usage`,
        schema: quotaUsageSchema,
      }),
    source: (tenantId: number, id: number) =>
      calls.request({ ...read, ...onSource(tenantId, id), schema: callSourceSchema }),
    addSource: (tenantId: number, body: CreateCallSource) =>
      calls.request({
        method: 'POST',
        tenantId,
        path: sources(tenantId),
        body,
        schema: callSourceWithSecret,
      }),
    changeSource: (tenantId: number, id: number, body: UpdateCallSource) =>
      calls.request({ method: 'PATCH', ...onSource(tenantId, id), body, schema: callSourceSchema }),
    deleteSource: (tenantId: number, id: number) =>
      calls.request({ method: 'DELETE', ...onSource(tenantId, id), schema: removedRecord }),
    rotateSecret: (tenantId: number, id: number, body: { secret?: string | null | undefined }) =>
      calls.request({
        method: 'POST',
        tenantId,
        path: `${sources(tenantId)}/${id}/rotate`,
        body,
        schema: callSourceWithSecret,
      }),
    testCall: (
      tenantId: number,
      id: number,
      body: { from_number?: string | null | undefined; is_real: boolean },
    ) =>
      calls.request({
        method: 'POST',
        tenantId,
        path: `${sources(tenantId)}/${id}/test-call`,
        body,
        schema: testCallSchema,
      }),
    messages: (tenantId: number, query: Record<string, string>) =>
      calls.request({
        ...read,
        tenantId,
        path: `${messages(tenantId)}?${new URLSearchParams(query)}`,
        schema: callMessageSchema.array(),
      }),
    /** Without its body, which may be large. @throws AppError 404 */
    async messageSummary(tenantId: number, id: number) {
      const [message] = await calls.request({
        ...read,
        tenantId,
        path: `${messages(tenantId)}?id=${id}`,
        schema: callMessageSchema.array(),
      });
      if (!message) throw notFound('Call message');
      return message;
    },
    message: (tenantId: number, id: number) =>
      calls.request({ ...read, ...onMessage(tenantId, id), schema: callMessageWithBody }),
    readAgain: (tenantId: number, id: number) =>
      calls.request({
        method: 'POST',
        tenantId,
        path: `${messages(tenantId)}/${id}/replay`,
        schema: callMessageSchema,
      }),
    deleteMessage: (tenantId: number, id: number) =>
      calls.request({ method: 'DELETE', ...onMessage(tenantId, id), schema: removedRecord }),
  };
}
