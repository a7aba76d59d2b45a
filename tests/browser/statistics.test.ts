import type { Appointment } from '@frontdesk/contracts';
import type { Page } from 'playwright-core';
import { createCustomer } from '../e2e/support/business.ts';
import { createCallSource, endedCall, sendCall } from '../e2e/support/calls.ts';
import { eventually } from '../support/index.ts';
import { expectNoFaults } from './axe.ts';
import { type BusinessOfAdmin, useBrowserWorld, useReceiver } from './browser-world.ts';

const world = useBrowserWorld();
const receiver = useReceiver();

const STATISTICS = '/settings/statistics';

async function open(email: string): Promise<Page> {
  const page = await world.signIn(await world.newPage(), email);
  await page.goto(STATISTICS);
  await page.getByRole('heading', { name: 'Statistics' }).waitFor();
  return page;
}

const textOf = async (page: Page, card: string) =>
  ((await page.getByRole('region', { name: card, exact: true }).textContent()) ?? '').replaceAll(/\s+/g, ' ');

/** A day of a business: four bookings of which one is called off, three calls of which one is missed. */
async function liveThrough(business: BusinessOfAdmin) {
  const { api, tenant, serviceId } = business;
  receiver.respondWith(({ rawBody }) => ({ status: rawBody.includes('appointment.cancelled') ? 500 : 200 }));
  const forTenant = ['--tenant', String(tenant.id)];
  const events = 'appointment.created,appointment.cancelled';
  const hook = ['webhook', 'create', ...forTenant, '--url', `${receiver.url}/hooks`, '--events', events];
  await world.target.operator.json(hook);

  const customer = await createCustomer(api, 'Mia Wong', '+49 30 901820');
  const today = Temporal.Now.plainDateISO(tenant.timezone).toString();
  const booked: Appointment[] = [];
  for (const appointment_time of ['00:00', '12:00', '12:30', '23:30']) {
    const body = {
      customer_id: customer.id,
      service_id: serviceId,
      appointment_date: today,
      appointment_time,
    };
    booked.push((await api<Appointment>('POST', '/appointments', { body })).data());
  }
  await api('DELETE', `/appointments/${booked[1]?.id}`);
  await api('PATCH', `/appointments/${booked[0]?.id}/status`, { body: { status: 'completed' } });

  const source = await createCallSource(world.target, tenant.id);
  const at = (seconds: number) => new Date(Date.now() - 600_000 + seconds * 1_000).toISOString();
  for (const [seconds, more] of [
    [150, { sentiment: 'positive' }],
    [90, { sentiment: 'negative' }],
    [9, { outcome: 'no_answer', sentiment: undefined, transcript: undefined }],
  ] as const) {
    const call = endedCall({ started_at: at(0), ended_at: at(seconds), ...more });
    expect((await sendCall(world.target, source, call)).status).toBe(202);
  }
}

it('shows what happened: the numbers are those of the bookings, calls, deliveries and requests', async () => {
  const business = await world.newBusiness('Salon Overview');
  await liveThrough(business);
  const page = await open(business.email);
  await eventually(async () => {
    await page.reload();
    expect(await textOf(page, 'Appointments')).toContain('3 today 2 scheduled · 1 completed · 1 cancelled');
    expect(await textOf(page, 'Calls')).toContain('3 in two weeks · 1 missed (33 %)');
    expect(await textOf(page, 'Caller sentiment')).toContain('50 % positive, of 2 calls in eight weeks');
    expect(await textOf(page, 'Webhook deliveries')).toContain('80 % of 5 delivered in 24 hours · 1 failed');
    expect(await textOf(page, 'Time to delivery')).toMatch(/\d (ms|s) is typical/);
    // One customer, four bookings, two changes.
    expect(await textOf(page, 'API requests')).toContain('7 in 24 hours');
  });
  // The chart says the same to people who point at a column or open its table, with the keyboard too.
  const calls = page.getByRole('region', { name: 'Calls', exact: true });
  const columns = await calls.locator('svg title').allTextContents();
  expect(columns.at(-1)).toMatch(/^Today, .*\nAnswered: 2\nMissed: 1$/);
  await calls.locator('summary').focus();
  await page.keyboard.press('Enter');
  const row = calls.getByRole('row', { name: /^Today/ });
  await row.waitFor();
  expect(await row.getByRole('cell').allTextContents()).toEqual(['2', '1']);
});

it('axe finds nothing, full or empty, in any scheme and width, and nothing has to be scrolled sideways', async () => {
  const full = await world.newBusiness('Salon Full');
  await liveThrough(full);
  const empty = await world.newBusiness('Salon Empty');
  for (const [name, { email }] of Object.entries({ full, empty })) {
    const page = await open(email);
    if (name === 'full') {
      await eventually(async () => {
        await page.reload();
        expect(await textOf(page, 'Calls')).toContain('3 in two weeks');
      });
      for (const summary of await page.locator('details.values > summary').all()) await summary.click();
    }
    await expectNoFaults(page, name);
  }
});
