import type { DeliverySummary } from '@frontdesk/contracts';
import { eventually, type Receiver } from '../../support/index.ts';
import { appointmentEvents } from '../webhooks/sample-events.ts';
import type { Browser } from './inject-browser.ts';
import type { SettingsWorld } from './settings-world.ts';

const MAX_ATTEMPTS = 3;

/** A signed-in admin with one endpoint at this receiver. */
export async function adminWithEndpoint(
  world: SettingsWorld,
  { url }: Pick<Receiver, 'url'>,
  on = world.settings,
) {
  const { browser, tenantId, email } = await world.signedIn({ on });
  const body = { url, events: ['appointment.created'] };
  const made = await browser.json('POST', '/settings/api/webhooks', body);
  const id: number = made.body.data.id;
  return { browser, tenantId, email, id, path: `/settings/api/webhooks/${id}` };
}

/** So many bookings that come in, until the log holds a settled delivery of each. */
export async function deliver(world: SettingsWorld, browser: Browser, tenantId: number, count: number) {
  await world.webhooks.publish(...appointmentEvents(tenantId, count));
  return eventually(async () => {
    const { deliveries } = (await browser.json('GET', '/settings/api')).body.data;
    const settled = deliveries.filter(
      (one: DeliverySummary) => one.delivered_at !== null || one.attempt_count === MAX_ATTEMPTS,
    );
    expect(settled).toHaveLength(count);
    return settled as DeliverySummary[];
  });
}
