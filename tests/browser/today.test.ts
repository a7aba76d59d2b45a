import type { Page } from 'playwright-core';
import { createCustomer } from '../e2e/support/business.ts';
import { createCallSource, endedCall, sendCall } from '../e2e/support/calls.ts';
import { eventually } from '../support/index.ts';
import { expectNoFaults } from './axe.ts';
import { type BusinessOfAdmin, useBrowserWorld } from './browser-world.ts';

const world = useBrowserWorld();

/** Books a haircut so many minutes from now: it is about noon where the business is. */
async function bookIn(business: BusinessOfAdmin, customer: { id: number }, minutes: number): Promise<number> {
  const start = Temporal.Now.zonedDateTimeISO(business.tenant.timezone).add({ minutes }).toPlainDateTime();
  const [appointment_date, time = ''] = start.toString().split('T');
  const body = {
    customer_id: customer.id,
    service_id: business.serviceId,
    appointment_date,
    appointment_time: time.slice(0, 5),
  };
  return (await business.api<{ id: number }>('POST', '/appointments', { body })).data().id;
}

/** A day with three appointments, a missed caller, and an endpoint that fails. */
async function busyMorning(name: string): Promise<BusinessOfAdmin> {
  const business = await world.newBusiness(name);
  const mia = await createCustomer(business.api, 'Mia Wong', '+49 30 901820');
  const lee = await createCustomer(business.api, 'Lee Featherstonehaugh-Cholmondeley', '+49 30 901821');
  for (const [customer, minutes] of [
    [mia, -180],
    [lee, -10],
    [mia, 120],
  ] as const)
    await bookIn(business, customer, minutes);
  const source = await createCallSource(world.target, business.tenant.id);
  const [started_at, ended_at] = [60_000, 54_000].map((ago) => new Date(Date.now() - ago));
  const call = {
    started_at,
    ended_at,
    from_number: '+4930901899',
    outcome: 'voicemail',
    transcript: undefined,
  };
  expect((await sendCall(world.target, source, endedCall(call))).status).toBe(202);
  return business;
}

/** Also behind the line of earlier ones. */
const row = (page: Page, name: string | RegExp) => page.locator('#agenda li').filter({ hasText: name });

it('a receptionist marks who has come with one press, and takes it back; a second browser sees both', async () => {
  const business = await busyMorning('Salon Today');
  const page = await world.signIn(await world.newPage(), business.email);
  await page.getByRole('link', { name: 'Today', exact: true }).click();
  const lee = row(page, 'Lee Feather');
  await lee.getByText('Now').waitFor();
  const second = await world.signIn(await world.newPage(), business.email);
  await second.goto('/settings');
  await row(second, 'Lee Feather').getByText('Now').waitFor();

  await lee.getByRole('button', { name: 'Complete' }).click();
  const toast = page.getByText('Appointment completed.');
  await toast.waitFor();
  expect(new URL(page.url()).search).toBe('');
  await row(page, 'Lee Feather').getByText('Completed').waitFor({ state: 'attached' });
  await row(second, 'Lee Feather').getByText('Completed').waitFor({ state: 'attached' });
  await page
    .getByRole('button', { name: /^Undo Lee/ })
    .first()
    .click();
  await page.getByText('Appointment restored.').waitFor();
  await row(second, 'Lee Feather').getByText('Now').waitFor();

  // What is pressed while another press is under way is not forgotten.
  const held = Promise.withResolvers<void>();
  await page.route('**/complete', async (route) => {
    await held.promise;
    await route.continue();
  });
  await lee.getByRole('button', { name: 'Complete' }).click();
  await row(page, 'Mia Wong').getByRole('button', { name: 'Complete' }).last().click();
  held.resolve();
  await row(second, 'Mia Wong').getByText('Completed').waitFor({ state: 'attached' });
  await row(second, 'Lee Feather').getByText('Completed').waitFor({ state: 'attached' });

  const caller = page.getByRole('region', { name: 'To call back' }).getByRole('listitem');
  await caller.getByRole('button', { name: 'Called back' }).click();
  await page.getByText('Marked as called back.').waitFor();
  await second.getByText('Nobody to call back.').waitFor();
  await page.getByRole('button', { name: 'Undo called back' }).click();
  await second.getByRole('button', { name: /^Called back/ }).waitFor();
});

it('a press that waits for another one does what it said, or nothing where a colleague was quicker', async () => {
  const business = await busyMorning('Salon Two Desks');
  const zoe = await createCustomer(business.api, 'Zoe Adams', '+49 30 901823');
  const id = await bookIn(business, zoe, 60);
  const page = await world.signIn(await world.newPage(), business.email);
  await page.goto('/settings');
  const colleague = await world.signIn(await world.newPage(), business.email);
  await colleague.goto('/settings');
  const held = Promise.withResolvers<void>();
  const sent: string[] = [];
  await page.route(/\/(complete|reactivate)$/, async (route) => {
    sent.push(route.request().url().split('/').at(-1) ?? '');
    await held.promise;
    await route.continue();
  });
  const heard = page.evaluate<void>(`new Promise((resolve) => {
    const stream = new EventSource('/settings/live');
    stream.addEventListener('message', ({ data }) => data.includes('${id}/reactivate') && resolve(stream.close()));
  })`);
  await row(page, 'Lee Feather').getByRole('button', { name: 'Complete' }).click();
  await row(page, 'Zoe Adams').getByRole('button', { name: 'Complete' }).click();
  await row(colleague, 'Zoe Adams').getByRole('button', { name: 'Complete' }).click();
  await heard;
  await row(colleague, 'Zoe Adams').getByText('Completed').waitFor({ state: 'attached' });
  held.resolve();
  await page.getByText('Appointment completed.').waitFor();
  await row(page, 'Zoe Adams').getByText('Completed').waitFor({ state: 'attached' });
  expect(await page.locator('#desk[aria-busy]').count()).toBe(0);
  expect(sent).toEqual(['complete']);
});

it('the second click of a double click marks nobody, though the next one stands there by then', async () => {
  const business = await world.newBusiness('Salon Double Click');
  for (const [name, minutes] of [
    ['Mia Wong', -12],
    ['Zoe Adams', -10],
  ] as const)
    await bookIn(business, await createCustomer(business.api, name, `+49 30 9018${20 - minutes}`), minutes);
  // The line of the earlier ones is there already.
  await bookIn(business, await createCustomer(business.api, 'Lee Early', '+49 30 901829'), -180);
  const page = await world.signIn(await world.newPage(), business.email);
  await page.goto('/settings');
  const { x, y, width, height } = (await row(page, 'Mia Wong')
    .getByRole('button', { name: 'Complete' })
    .boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const [left, top] = [x + width / 2, y + height / 2];
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') sent += 1;
  });
  await page.mouse.click(left, top);
  await page.getByText('Appointment completed.').waitFor();
  const under = `document.elementFromPoint(${left}, ${top}).closest('button').textContent`;
  expect(await page.evaluate(under)).toContain('Complete Zoe Adams');
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  expect(sent).toBe(1);
  await page.mouse.click(left, top);
  await row(page, 'Zoe Adams').getByText('Completed').waitFor({ state: 'attached' });
});

it('on a phone the first appointment begins within 200 px of the top, and the places are at the bottom', async () => {
  const business = await busyMorning('Salon Phone');
  const page = await world.signIn(await world.newPage({ width: 390 }), business.email);
  await page.goto('/settings');
  await page.getByRole('link', { name: '1 to call back' }).waitFor();
  const first = page.getByRole('region', { name: 'Appointments' }).getByRole('link', { name: 'Lee Feather' });
  const { y } = (await first.first().boundingBox()) ?? { y: Number.NaN };
  expect(y).toBeLessThan(200);
  const places = page.getByRole('navigation', { name: 'Main' });
  const { y: top, height } = (await places.boundingBox()) ?? { y: 0, height: 0 };
  expect(Math.round(top + height)).toBe(800);
  expect(await places.getByRole('link').allTextContents()).toEqual([
    'Today',
    'Calendar',
    'Customers',
    'Calls',
    'Settings',
  ]);

  await places.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Opening hours', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Opening hours' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
});

it('works without scripts', async () => {
  const business = await busyMorning('Salon Plain');
  // Signing in needs none either.
  const page = await world.signIn(await world.newPage({ width: 390, hasScripts: false }), business.email);
  await page.goto('/settings');
  await row(page, 'Lee Feather').getByRole('button', { name: 'No-show' }).click();
  await page.getByText('Appointment marked as a no-show.').waitFor();
  await page
    .getByRole('button', { name: /^Undo Lee/ })
    .first()
    .click();
  await page.getByText('Appointment restored.').waitFor();
  await page.getByRole('button', { name: 'Your menu' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are signed out.').waitFor();
});

it('axe finds nothing on Today, full or empty, on the settings and in one’s own menu', async () => {
  const full = await busyMorning('Salon Full Day');
  const empty = await world.newBusiness('Salon Empty Day');
  for (const [name, { email }] of Object.entries({ full, empty })) {
    const page = await world.signIn(await world.newPage(), email);
    await page.goto('/settings');
    if (name === 'full') {
      await eventually(async () => {
        await page.reload();
        expect(await page.getByRole('link', { name: '1 to call back' }).count()).toBe(1);
      });
      await page.getByText('1 earlier').click();
      await row(page, 'Lee Feather').getByRole('button', { name: 'Complete' }).click();
      await page.getByText('Appointment completed.').waitFor();
    }
    await expectNoFaults(page, name);
    // The menu lies over what is beneath it: on this page that is nothing to press.
    await page.goto('/settings/account');
    await page.getByRole('button', { name: 'Your menu' }).click();
    await page.locator('#own-menu').getByText(email).waitFor();
    await expectNoFaults(page, `${name}, with its menu`);
    await page.goto('/settings/all');
    await expectNoFaults(page, 'settings');
  }
});
