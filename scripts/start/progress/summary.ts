import { PLAN_LIMITS, slotSchema } from '@frontdesk/contracts';
import { request } from 'undici';
import { z } from 'zod';
import type { DemoTenant } from '../../seed/index.ts';

/** What someone who has just set a system up wants to know: address, keys, a booking and a call to copy and run. */
export async function summaryOf(options: {
  /** Where this process reaches the gateway, and where the reader does. */
  gatewayUrl: string;
  publicUrl?: string;
  /** The settings as browsers reach them. */
  settingsUrl: string;
  tenants: readonly DemoTenant[];
}): Promise<string> {
  const { gatewayUrl, publicUrl = gatewayUrl, settingsUrl, tenants } = options;
  const width = Math.max(...tenants.map(({ name }) => name.length));
  const keys = tenants.map(
    ({ id, name, plan, api_key }) =>
      `  ${String(id).padStart(3)}  ${name.padEnd(width)}  ${plan.padEnd(10)}  ${api_key}`,
  );
  const emailWidth = Math.max(...tenants.map(({ admin }) => admin.email.length));
  const logins = tenants.map(
    ({ name, admin }) => `       ${name.padEnd(width)}  ${admin.email.padEnd(emailWidth)}  ${admin.password}`,
  );
  const [largest] = tenants.toSorted((a, b) => PLAN_LIMITS[b.plan].perMinute - PLAN_LIMITS[a.plan].perMinute);
  const booking = largest && (await sampleBooking({ gatewayUrl, publicUrl, tenant: largest }));
  return [
    '',
    `Frontdesk is up: ${publicUrl}`,
    '',
    'API keys:',
    ...keys,
    '',
    `Settings: ${settingsUrl}`,
    ...logins,
    ...(booking ? ['', 'Book an appointment:', `  ${booking}`] : []),
    ...(largest ? ['', 'Send a call:', `  ${sampleCall(largest)}`] : []),
    '',
  ].join('\n');
}

const DAYS_TO_LOOK = 14;
const slotsAnswer = z.object({ data: z.array(slotSchema) });

/** A curl command that books a slot which is free right now; undefined where nothing is. */
async function sampleBooking(options: {
  gatewayUrl: string;
  publicUrl: string;
  tenant: DemoTenant;
}): Promise<string | undefined> {
  const { gatewayUrl, publicUrl, tenant } = options;
  const [serviceId] = tenant.services;
  const [customerId] = tenant.customers;
  const today = Temporal.Now.plainDateISO(tenant.timezone);
  for (let days = 1; days <= DAYS_TO_LOOK; days += 1) {
    const date = today.add({ days }).toString();
    const { statusCode, body } = await request(
      `${gatewayUrl}/api/v1/appointments/slots?date=${date}&service_id=${serviceId}`,
      { headers: { authorization: `Bearer ${tenant.api_key}` } },
    );
    const answer = slotsAnswer.safeParse(await body.json());
    if (statusCode !== 200 || !answer.success) return undefined;
    const [slot] = answer.data.data;
    if (slot) {
      return curl(publicUrl, tenant.api_key, {
        customer_id: customerId,
        service_id: serviceId,
        appointment_date: slot.date,
        appointment_time: slot.time,
      });
    }
  }
  return undefined;
}

function curl(gatewayUrl: string, apiKey: string, body: object): string {
  return [
    `curl -X POST ${gatewayUrl}/api/v1/appointments`,
    `-H 'Authorization: Bearer ${apiKey}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(body)}'`,
  ].join(' \\\n    ');
}

/** A command that sends a signed call to a demo business's source. */
const sampleCall = ({ call_source: { ingest_url, secret } }: DemoTenant): string =>
  `npm run -s calls:replay -- generic/booked ${ingest_url} --secret ${secret}`;
