import type { Page } from 'playwright-core';
import { bookingOf, createCustomer, freeSlots } from '../e2e/support/business.ts';
import { type BusinessOfAdmin, useBrowserWorld, useReceiver } from './browser-world.ts';

const world = useBrowserWorld();
const receiver = useReceiver();

const WIDTHS = [320, 390, 768, 1280, 1920];
const STAFF = 7;
const NINE_TO_FIVE = [{ start: '09:00', end: '17:00' }];
const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** Sends a change as a program does, in the name of who is signed in to the page. */
async function change(page: Page, path: string, data: object): Promise<{ id: number }> {
  const token = await page.locator('input[name=_csrf]').first().getAttribute('value');
  const headers = { accept: 'application/json', 'x-csrf-token': token ?? '' };
  const answer = await page.request.post(path, { headers, data });
  expect([path, answer.ok()]).toEqual([path, true]);
  return (await answer.json()).data;
}

/** Seven staff members at work, one with an appointment; an endpoint, a source, and what came of each. */
async function busySalon(page: Page, business: BusinessOfAdmin) {
  for (let number = business.staffIds.length; number < STAFF; number += 1) {
    const name = `Wilhelmina Featherstonehaugh ${number}`;
    const { id } = await change(page, '/settings/business/staff/new', { name });
    const hours = Object.fromEntries(EVERY_DAY.map((day) => [day, NINE_TO_FIVE]));
    await change(page, `/settings/business/staff/${id}/hours`, { hours });
  }
  const [slot] = await freeSlots(business, 2);
  if (!slot) throw new Error('no free slot');
  const customer = await createCustomer(business.api, 'Mia Wong', '+49 30 901820');
  const twin = await createCustomer(business.api, 'Mia Wong-Featherstonehaugh', '+49 30 901821');
  const booking = bookingOf(slot, customer.id, business.serviceId);
  const appointment = (await business.api<{ id: number }>('POST', '/appointments', { body: booking })).data();
  const endpoint = await change(page, '/settings/api/webhooks', {
    url: `${receiver.url}/a/rather/long/address/${'x'.repeat(60)}`,
    events: ['call.ended'],
  });
  const delivery = await change(page, `/settings/api/webhooks/${endpoint.id}/test`, {});
  await change(page, '/settings/api/keys', {
    name: 'A key with a rather long name, for the sake of it',
    preset: 'everything',
    networks: Array.from({ length: 8 }, (_, part) => `2001:db8:1234:5678:9abc:def0:1234:${part}/128`),
  });
  const listed = await page.request.get('/settings/api', { headers: { accept: 'application/json' } });
  const keys: { id: number }[] = (await listed.json()).data.keys;
  const source = await change(page, '/settings/calls/sources', {
    provider: 'vapi',
    name: 'A line with a rather long name, for the sake of it',
  });
  const test = await change(page, `/settings/calls/sources/${source.id}/test`, { is_real: true });
  const { message_id } = test as unknown as { message_id: number };
  return { date: slot.date, appointment, customer, twin, endpoint, delivery, keys, source, message_id };
}

/** What sticks out of the window or of its card, and isn't within something that scrolls; and the current tab, out of sight. */
const MISPLACED = `(() => {
  const seen = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('.for-reader, .skip');
  const scrolls = (element) => {
    for (let at = element.parentElement; at; at = at.parentElement)
      if (['auto', 'scroll', 'hidden'].includes(getComputedStyle(at).overflowX)) return true;
    return element.closest('svg svg, svg text') !== null;
  };
  const nameOf = (element) => element.tagName + ' ' + (element.id || element.className.baseVal || element.className) + ' ' + element.textContent.trim().slice(0, 40);
  const tooFar = [...document.querySelectorAll('body *')].filter((element) => {
    if (!seen(element) || scrolls(element)) return false;
    const { right, width } = element.getBoundingClientRect();
    const card = element.parentElement.closest('.card');
    const end = Math.min(innerWidth, card ? card.getBoundingClientRect().right : innerWidth);
    return width > 0 && right > end + 1;
  });
  const tab = document.querySelector('.places [aria-current]');
  const { left = 0, right = 0, top = 0, bottom = 0 } = tab?.getBoundingClientRect() ?? {};
  const isTabSeen = left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
  const isTooWide = document.documentElement.scrollWidth > document.documentElement.clientWidth;
  return [...tooFar.map(nameOf), ...(isTabSeen ? [] : ['the tab ' + tab.textContent]), ...(isTooWide ? ['the page'] : [])];
})()`;

/** The staff members of the plan who can't be brought into sight, right of the hours. */
const OUT_OF_REACH = `(() => {
  const plan = document.querySelector('.plan').getBoundingClientRect();
  const axis = document.querySelector('.plan-axis').getBoundingClientRect();
  return [...document.querySelectorAll('.plan-head')].filter((head) => {
    head.scrollIntoView({ inline: 'start', block: 'nearest', behavior: 'instant' });
    const { left, right } = head.getBoundingClientRect();
    return left < axis.right - 1 || right > Math.min(plan.right, innerWidth) + 1;
  }).map(({ textContent }) => textContent.trim());
})()`;

/** Buttons of changes that Enter presses on a page that has just been opened, or in a dialog; and those that Enter takes for “Save”. */
const PRESSED_BY_ENTER = `(() => {
  const isChange = (button) => button.type === 'submit' && button.form?.method !== 'get' && button.value !== 'cancel';
  const buttons = [...document.querySelectorAll('button, input[type=submit]')].filter(isChange);
  const focused = () => buttons.filter((button) => button === document.activeElement);
  const marked = buttons.filter((button) => button.autofocus || button.dataset.focus !== undefined);
  const inPage = focused();
  const inDialogs = [...document.querySelectorAll('dialog')].flatMap((dialog) => {
    dialog.showModal();
    const found = focused();
    dialog.close();
    return found;
  });
  const firsts = [...document.querySelectorAll('form[method=post]:has(input:not([type=hidden]))')].flatMap((form) => {
    const [first, ...others] = [...form.elements].filter(({ type }) => type === 'submit');
    return others.length > 0 && first.name !== '' ? [first] : [];
  });
  return [...inPage, ...marked, ...inDialogs, ...firsts].map(({ textContent }) => textContent.trim());
})()`;

it('every page fits every width, Enter changes nothing on it, its tab is in sight, and each of seven staff members can be reached', async () => {
  const business = await world.newBusiness('Salon of Seven');
  const page = await world.signIn(await world.newPage(), business.email);
  const { date, appointment, customer, twin, endpoint, delivery, keys, source, message_id } = await busySalon(
    page,
    business,
  );
  const calendar = `/settings/calendar?date=${date}`;
  const paths = [
    ...['', `&staff_id=${business.staffIds[0]}`].map(below(`/settings/calendar/week?date=${date}`)),
    ...['/settings', calendar, `/settings/calendar/appointments/${appointment.id}`],
    ...['', `?date=${date}&time=09:00&anyway=1`].map(below('/settings/calendar/book')),
    `/settings/calendar/book?date=${date}&time=09:00&anyway=1&customer_id=${customer.id}`,
    `/settings/calendar/appointments/${appointment.id}/move`,
    ...['', '/new', `/${customer.id}`, `/${customer.id}/edit`].map(below('/settings/customers')),
    ...['', '?q=mia', `?with=${twin.id}`].map(below(`/settings/customers/${customer.id}/merge`)),
    ...[
      '/settings/calls',
      '/settings/calls/missed',
      '/settings/calls/sources',
      `/settings/calls/sources/${source.id}`,
      `/settings/calls/messages/${message_id}`,
    ],
    ...['', '/services', '/services/new', `/services/${business.serviceId}`].map(below('/settings/business')),
    ...['/staff', '/staff/new', `/staff/${business.staffIds[0]}`].map(below('/settings/business')),
    ...['/settings/business/opening-hours', '/settings/calendar?date=2026-02-31'],
    ...['', `/webhooks/${endpoint.id}`, `/deliveries/${delivery.id}`, '/docs'].map(below('/settings/api')),
    ...keys.map(({ id }) => `/settings/api/keys/${id}`),
    ...['/settings/people', '/settings/audit', '/settings/account'],
    ...['/settings/all', '/settings/statistics', '/settings/search'],
  ];
  for (const path of paths) {
    await page.goto(path);
    expect([path, await page.evaluate(PRESSED_BY_ENTER)]).toEqual([path, []]);
    await page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true');
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      expect([path, width, await page.evaluate(MISPLACED)]).toEqual([path, width, []]);
      if (path !== calendar) continue;
      // Phones have a list for each person, in place of columns.
      const isPhone = width < 704;
      const people = page.locator(isPhone ? '.day-list section' : '.plan-head');
      expect([width, await people.count(), await people.first().isVisible()]).toEqual([width, STAFF, true]);
      if (!isPhone) expect([width, await page.evaluate(OUT_OF_REACH)]).toEqual([width, []]);
    }
  }

  await page.setViewportSize({ width: 720, height: 800 });
  await page.goto(calendar);
  await page.emulateMedia({ media: 'print' });
  const isWhole = await page.evaluate(`(() => {
    const { scrollWidth, clientWidth } = document.querySelector('.day-list');
    return clientWidth > 0 && scrollWidth <= clientWidth && document.documentElement.scrollWidth <= 720;
  })()`);
  expect(isWhole).toBe(true);
});

function below(base: string) {
  return (path: string) => `${base}${path}`;
}
