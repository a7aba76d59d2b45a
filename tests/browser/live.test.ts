import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Page } from 'playwright-core';
import { bookingOf, createCustomer, freeSlots } from '../e2e/support/business.ts';
import { useBrowserWorld } from './browser-world.ts';

const world = useBrowserWorld();

const stopped = new AsyncDisposableStack();
afterAll(() => stopped.disposeAsync());

/** A way to a server that can be cut without a word: connections stay open, and nothing comes through. */
async function cuttable(origin: string) {
  const { port } = new URL(origin);
  let isCut = false;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const onward = connect(Number(port), '127.0.0.1');
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => {
        if (!isCut) to.write(data);
      });
      from.on('error', () => {});
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const end = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  stopped.defer(() => {
    end();
    server.close();
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      isCut = true;
    },
    mend: () => {
      isCut = false;
    },
  };
}

/** A business, and how Mia Wong is booked there at a time in two days. */
async function salonOf(name: string) {
  const business = await world.newBusiness(name);
  const [slot] = await freeSlots(business, 2);
  if (!slot) throw new Error('no free slot');
  const { id } = await createCustomer(business.api, 'Mia Wong', '+49 30 901820');
  const book = async (appointment_time: string) => {
    const body = { ...bookingOf(slot, id, business.serviceId), appointment_time };
    expect((await business.api('POST', '/appointments', { body })).status).toBe(201);
  };
  return { ...business, date: slot.date, book };
}

const isSaid = (page: Page, words: string) => page.getByRole('status').getByText(words).waitFor();

it('a page that is offline says so, and brings itself up to date', async () => {
  const salon = await salonOf('Salon Offline');
  const page = await world.signIn(await world.newPage({ width: 390 }), salon.email);
  await page.goto(`/settings/calendar?date=${salon.date}`);
  await page.context().setOffline(true);
  await isSaid(page, 'You are offline. This page may be out of date.');
  await salon.book('10:00');
  await page.context().setOffline(false);
  await isSaid(page, 'Connected again.');
  await page.getByRole('link', { name: /^10:00.* Mia Wong/ }).waitFor();
});

it('a connection that is cut without a word is noticed; the page goes on once there is another', async () => {
  const salon = await salonOf('Salon Cut');
  const page = await world.signIn(await world.newPage(), salon.email);
  const way = await cuttable(page.url());
  await page.goto(`${way.origin}/settings/calendar?date=${salon.date}`);
  await salon.book('10:00');
  await page.getByRole('link', { name: /^10:00.* Mia Wong/ }).waitFor();
  way.cut();
  await isSaid(page, 'Frontdesk can’t be reached. This page may be out of date.');
  await salon.book('11:00');
  way.mend();
  await isSaid(page, 'Connected again.');
  await page.getByRole('link', { name: /^11:00 Mia Wong/ }).waitFor();
});

it('a page whose streams are asked for too often waits as long as it is told to, says so, and goes on', async () => {
  const salon = await salonOf('Salon Often');
  const page = await world.signIn(await world.newPage(), salon.email);
  let refused = 0;
  await page.route('**/calendar/live**', (route) => {
    refused += 1;
    return route.fulfill({ status: 429, headers: { 'retry-after': '3' }, body: '{}' });
  });
  await page.goto(`/settings/calendar?date=${salon.date}`);
  await isSaid(page, 'Live updates were asked for too often');
  // The stream itself, and the question why it was given up.
  expect(refused).toBe(2);
  await page.reload();
  await isSaid(page, 'Live updates were asked for too often');
  await page.unroute('**/calendar/live**');
  await isSaid(page, 'Connected again.');
  await salon.book('10:00');
  await page.getByRole('link', { name: /^10:00.* Mia Wong/ }).waitFor();
});

it('a stream that a proxy answered in place of the pages is asked for again; without a session the page says that it stops', async () => {
  const salon = await salonOf('Salon Proxy');
  const page = await world.signIn(await world.newPage(), salon.email);
  let refused = 0;
  await page.route('**/calendar/live**', (route) => {
    refused += 1;
    return refused <= 2 ? route.fulfill({ status: 502, body: 'Bad gateway' }) : route.fallback();
  });
  await page.goto(`/settings/calendar?date=${salon.date}`);
  await salon.book('10:00');
  await page.getByRole('link', { name: /^10:00.* Mia Wong/ }).waitFor();
  expect(refused).toBeGreaterThan(2);

  const other = await page.context().newPage();
  await other.goto('/settings/account');
  await other.getByRole('button', { name: 'Your menu' }).click();
  await other.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.bringToFront();
  await isSaid(page, 'This page no longer updates');
  await page.getByRole('link', { name: 'Reload it' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
});
