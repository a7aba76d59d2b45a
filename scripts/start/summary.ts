import { PLAN_LIMITS } from '@frontdesk/contracts';
import type { DemoTenant } from '../seed/index.ts';
import { sampleBooking } from './sample-booking.ts';
import { sampleCall } from './sample-call.ts';

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
