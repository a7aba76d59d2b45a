import type { ServiceClient, ServiceRequest } from '@frontdesk/service';
import type { z } from 'zod';
import { createClients } from './clients.ts';
import type { InternalApis } from './internal-apis.client.ts';

/** Every function of these clients, those of the records within them too. */
const functionsOf = (clients: object): ((tenantId: number, ...more: unknown[]) => unknown)[] =>
  Object.values(clients).flatMap((one) => (typeof one === 'function' ? [one] : functionsOf(one)));

it('whatever a page reads has the page’s deadline', async () => {
  const asked: ServiceRequest<z.ZodType>[] = [];
  const ask = async (request: ServiceRequest<z.ZodType>) => {
    asked.push(request);
    return { rows: [], total: 0 };
  };
  const service = {
    request: ask,
    requestVersioned: ask,
    requestChanged: ask,
    requestPage: ask,
  } as unknown as ServiceClient;
  const services: InternalApis = {
    gateway: service,
    scheduling: service,
    crm: service,
    calls: service,
    webhooks: service,
  };
  const calls = functionsOf(createClients(services, { readTimeoutMs: 7 }));
  // Some find no record in such an answer.
  await Promise.allSettled(calls.map((call) => call(1, [], [])));

  const reads = asked.filter(({ method }) => method === 'GET');
  expect(reads.length).toBeGreaterThan(20);
  expect(new Set(reads.map(({ timeoutMs }) => timeoutMs))).toEqual(new Set([7]));
});
