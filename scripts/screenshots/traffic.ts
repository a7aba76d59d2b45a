import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createdEndpoint, deliverySchema, slotSchema } from '@frontdesk/contracts';
import { createIdentitySigner, createServiceClient } from '@frontdesk/service';
import { request } from 'undici';
import { z } from 'zod';
import type { DemoTenant } from '../seed/index.ts';
import type { SystemUrls } from '../start/processes/service-catalog.ts';

const EVENTS = ['appointment.created', 'appointment.updated', 'appointment.cancelled', 'customer.updated'];
const UPDATES = 6;
const DELIVERED_WITHIN_MS = 30_000;

/** Makes changes through a program and sends them to a receiver on this port, so that the delivery log has something to show. */
export async function makeTraffic(options: {
  urls: SystemUrls;
  operatorKeyFile: string;
  tenant: DemoTenant;
  receiverPort: number;
}): Promise<void> {
  const { urls, tenant, receiverPort } = options;
  const signer = await createIdentitySigner({ issuer: 'operator', privateKeyFile: options.operatorKeyFile });
  const webhooks = createServiceClient({
    baseUrl: urls.webhooksInternal,
    audience: 'webhooks',
    role: 'operator',
    signer,
  });
  const receiver = createServer((incoming, outgoing) => {
    incoming.resume();
    outgoing.end('{"received":true}');
  });
  await new Promise<void>((resolve) => receiver.listen(receiverPort, '127.0.0.1', resolve));
  const path = `/internal/tenants/${tenant.id}/webhooks`;
  try {
    const body = { url: `http://127.0.0.1:${receiverPort}/frontdesk`, events: EVENTS };
    await webhooks.request({ method: 'POST', path, body, schema: createdEndpoint });
    const call = apiOf(urls, tenant);
    for (const customer of tenant.customers.slice(0, UPDATES))
      await call('PATCH', `/customers/${customer}`, { notes: 'Prefers to be reminded by phone.' });
    await bookToday(call, tenant);
    const deadline = Date.now() + DELIVERED_WITHIN_MS;
    for (;;) {
      const query = 'status=delivered&per_page=100';
      const schema = deliverySchema.array();
      const delivered = await webhooks.request({
        method: 'GET',
        path: `${path}/deliveries?${query}`,
        schema,
      });
      if (delivered.length >= UPDATES) break;
      if (Date.now() > deadline) throw new Error('Deliveries take too long.');
      await pause(200);
    }
  } finally {
    receiver.close();
    await webhooks.stop();
  }
}

/** Books what is free today, one visit of each service. */
async function bookToday(call: Api, { services, customers, timezone }: DemoTenant): Promise<void> {
  const today = Temporal.Now.plainDateISO(timezone);
  for (const [index, service_id] of services.entries()) {
    const slots = await call('GET', `/appointments/slots?date=${today}&service_id=${service_id}`);
    const [slot] = z.array(slotSchema).parse(slots);
    if (!slot) continue;
    const { date: appointment_date, time: appointment_time } = slot;
    const body = { customer_id: customers[index], service_id, appointment_date, appointment_time };
    await call('POST', '/appointments', body);
  }
}

type Api = ReturnType<typeof apiOf>;

/** API v1 as a program with the tenant's key uses it. */
function apiOf({ gateway }: SystemUrls, { api_key }: DemoTenant) {
  return async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<unknown> => {
    const { statusCode, body: answer } = await request(`${gateway}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    });
    const { data } = (await answer.json()) as { data?: unknown };
    if (statusCode >= 300) throw new Error(`${method} ${path} answered ${statusCode}.`);
    return data;
  };
}
