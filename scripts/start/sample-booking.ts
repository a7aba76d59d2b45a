import { slotSchema } from '@frontdesk/contracts';
import { request } from 'undici';
import { z } from 'zod';
import type { DemoTenant } from '../seed/index.ts';

const DAYS_TO_LOOK = 14;
const slotsAnswer = z.object({ data: z.array(slotSchema) });

/** A curl command that books a slot which is free right now; undefined where nothing is. */
export async function sampleBooking(options: {
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
