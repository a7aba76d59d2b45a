import type { Locator, Page } from 'playwright-core';
import { bookingOf, createCustomer, freeSlots } from '../e2e/support/business.ts';
import { eventually } from '../support/index.ts';
import { expectNoFaults } from './axe.ts';
import { useBrowserWorld } from './browser-world.ts';

const world = useBrowserWorld();

/** A business of three, from nine to five, where Ada has an appointment in two days, with a note. */
async function bookedSalon(name: string, time = '09:00') {
  const business = await world.newBusiness(name);
  const [slot] = await freeSlots(business, 2);
  if (!slot) throw new Error('no free slot');
  const { id } = await createCustomer(business.api, 'Mia Wong', '+49 30 901820');
  const body = {
    ...bookingOf(slot, id, business.serviceId, business.staffIds[0]),
    appointment_time: time,
    notes: 'Fringe only',
  };
  expect((await business.api('POST', '/appointments', { body })).status).toBe(201);
  return { ...business, calendar: `/settings/calendar?date=${slot.date}`, date: slot.date };
}

const columnOf = (page: Page, who: string) => page.locator(`.plan-column[data-who="${who}"]`);

/** From one hour of the day to another, which are fractions from nine to five. */
async function dragOver(page: Page, column: Locator, from: number, until: number): Promise<void> {
  await column.scrollIntoViewIfNeeded();
  const box = await column.boundingBox();
  if (!box) throw new Error('nothing drawn');
  const y = (hour: number) => box.y + ((hour - 9) * box.height) / 8;
  await page.mouse.move(box.x + 60, y(from));
  await page.mouse.down();
  await page.mouse.move(box.x + 62, y((from + until) / 2));
  await page.mouse.move(box.x + 62, y(until));
  await page.mouse.up();
}

/** Of a staff member, as the calendar has it. */
async function timeOffOf(page: Page, staffId: number | undefined, date: string) {
  const headers = { accept: 'application/json' };
  const answer = await page.request.get(`/settings/calendar?date=${date}`, { headers });
  const { data } = await answer.json();
  const column = data.columns.find(({ staff_id }: { staff_id: number }) => staff_id === staffId);
  return column.time_off.map(
    ({ entry, note }: { entry: { start: string; end: string }; note: string | null }) => [
      entry.start.slice(11),
      entry.end.slice(11),
      note,
    ],
  );
}

it('a drag over free time blocks it, with a reason; it stands in the calendar, is undone, and removed from there', async () => {
  const { email, calendar, staffIds, date } = await bookedSalon('Salon Block');
  const [, ben] = staffIds;
  const page = await world.signIn(await world.newPage(), email);
  await page.goto(calendar);
  const dialog = page.getByRole('dialog', { name: 'Block this time?' });
  const offTimes = () => timeOffOf(page, ben, date);

  await dragOver(page, columnOf(page, 'Ben'), 12.05, 12.95);
  await dialog.getByText(/^Ben, /).waitFor();
  expect(await dialog.getByLabel('From').inputValue()).toBe('12:00');
  expect(await dialog.getByLabel('To', { exact: true }).inputValue()).toBe('13:00');
  expect(await page.locator('.ghost').textContent()).toBe('12:00 – 13:00');
  await expectNoFaults(page, 'block');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await page.locator('.ghost').isVisible()).toBe(false);
  expect(await offTimes()).toEqual([]);

  // Upwards is the same.
  await dragOver(page, columnOf(page, 'Ben'), 12.95, 12.05);
  await dialog.getByLabel('Reason').fill('Lunch');
  await dialog.getByRole('button', { name: 'Block time' }).click();
  await page.getByText(/^Ben, .*, 12:00 – 13:00 is blocked \(Lunch\)\./).waitFor();
  const block = page.getByRole('link', { name: 'Time off 12:00–13:00, Lunch' });
  await block.waitFor();
  expect(await offTimes()).toEqual([['12:00', '13:00', 'Lunch']]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Ben can be booked again.').waitFor();
  expect([await block.count(), await offTimes()]).toEqual([0, []]);

  // What is typed wins over what was dragged; what can't be read is said, and stays.
  await dragOver(page, columnOf(page, 'Ben'), 14.05, 14.95);
  await dialog.getByLabel('To', { exact: true }).fill('half past');
  await dialog.getByRole('button', { name: 'Block time' }).click();
  await dialog.getByText('Enter a time such as').waitFor();
  await dialog.getByLabel('To', { exact: true }).fill('16');
  await dialog.getByLabel('Reason').press('Enter');
  await page.getByRole('link', { name: 'Time off 14:00–16:00' }).click();
  const removal = page.getByRole('dialog', { name: 'Remove this time off?' });
  await removal.getByText(/14:00–16:00/).waitFor();
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Keep it');
  await expectNoFaults(page, 'removal');
  await removal.getByRole('button', { name: 'Remove' }).click();
  await page.getByText(/no longer off/).waitFor();
  expect(await offTimes()).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText(/off again/).waitFor();
  expect(await offTimes()).toEqual([['14:00', '16:00', null]]);
});

it('the same drag books; a click books as before; a drag from an appointment, or of time off, blocks nothing', async () => {
  const { email, calendar, staffIds } = await bookedSalon('Salon Drag Book');
  const page = await world.signIn(await world.newPage(), email);
  await page.goto(calendar);
  const dialog = page.getByRole('dialog', { name: 'Block this time?' });
  await dragOver(page, columnOf(page, 'Ada'), 9.2, 11);
  expect(await dialog.count()).toBe(0);
  await page.getByRole('button', { name: 'Keep time' }).click();
  await dragOver(page, columnOf(page, 'Cem'), 10.05, 10.9);
  await dialog.getByRole('link', { name: 'Book instead' }).click();
  await page.waitForURL(/\/settings\/calendar\/book\?/);
  const query = new URL(page.url()).searchParams;
  expect([query.get('time'), query.get('staff_id')]).toEqual(['10:00', String(staffIds[2])]);
});

it('with the keyboard time is blocked from the column’s head; signed out meanwhile, nothing is lost', async () => {
  const { email, calendar, staffIds, date } = await bookedSalon('Salon Keys');
  const page = await world.signIn(await world.newPage(), email);
  await page.goto(calendar);
  await page.getByRole('link', { name: 'Block time of Cem' }).first().focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Block this time?' });
  await dialog.waitFor();
  expect(await dialog.getByLabel('From').inputValue()).toBe('09:00');
  await dialog.getByLabel('To', { exact: true }).fill('10:30');
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await page.keyboard.press('Enter');
  await dialog.getByText('You are signed out, and nothing is changed.').waitFor();
  await page.context().addCookies(cookies);
  await dialog.getByRole('button', { name: 'Block time' }).click();
  await page.getByText(/09:00 – 10:30 is blocked/).waitFor();
  expect(await timeOffOf(page, staffIds[2], date)).toEqual([['09:00', '10:30', null]]);
});

it('an answer that comes late is no answer to what is asked by then: what is typed stays, and a refusal is said elsewhere', async () => {
  const { email, calendar } = await bookedSalon('Salon Late Answers');
  const page = await world.signIn(await world.newPage(), email);
  await page.goto(calendar);
  const dialog = page.getByRole('dialog', { name: 'Block this time?' });
  const reason = dialog.getByLabel('Reason');
  const held: PromiseWithResolvers<void>[] = [];
  await page.route('**/time-off', async (route) => {
    const answer = Promise.withResolvers<void>();
    held.push(answer);
    await answer.promise;
    await route.continue();
  });
  /** Sends it, and gives up waiting for the answer. */
  const leaveSent = async (until?: string) => {
    await dragOver(page, columnOf(page, 'Ben'), 12.05, 12.95);
    if (until) await dialog.getByLabel('To', { exact: true }).fill(until);
    const before = held.length;
    await dialog.getByRole('button', { name: 'Block time' }).click();
    await eventually(async () => expect(held).toHaveLength(before + 1));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  };
  const begin = async (words: string) => {
    await dragOver(page, columnOf(page, 'Cem'), 14.05, 14.95);
    await reason.fill(words);
  };

  await leaveSent('half past');
  await begin('Dentist');
  held.at(-1)?.resolve();
  await page.getByText(/^Ben, .*: not blocked\. Enter a time such as/).waitFor();
  expect(await dialog.getByRole('alert').count()).toBe(0);
  expect(await reason.inputValue()).toBe('Dentist');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await leaveSent();
  await begin('Doctor');
  held.at(-1)?.resolve();
  await page.getByText(/^Ben, .*, 12:00 – 13:00 is blocked\./).waitFor();
  expect(await reason.inputValue()).toBe('Doctor');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  // Nothing is asked by then.
  await dragOver(page, columnOf(page, 'Cem'), 14.05, 14.95);
  await dialog.getByLabel('To', { exact: true }).fill('late');
  await dialog.getByRole('button', { name: 'Block time' }).click();
  await eventually(async () => expect(held).toHaveLength(3));
  await page.keyboard.press('Escape');
  held.at(-1)?.resolve();
  await page.getByText(/^Cem, .*: not blocked\. Enter a time such as/).waitFor();
});

it('what came through without its answer is sent again, and made once; a refusal is worded as on the page of the hours', async () => {
  const { email, calendar, staffIds, date } = await bookedSalon('Salon Lost Answers');
  const page = await world.signIn(await world.newPage(), email);
  await page.goto(calendar);
  const dialog = page.getByRole('dialog', { name: 'Block this time?' });
  const send = () => dialog.getByRole('button', { name: 'Block time' }).click();
  const loseNext = (pattern: string) =>
    page.route(
      pattern,
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
  const lunch = [['12:00', '13:00', null]];

  await dragOver(page, columnOf(page, 'Ben'), 12.05, 12.95);
  await loseNext('**/time-off');
  await send();
  await dialog.getByText('There was no answer.').waitFor();
  await send();
  await page.getByText(/12:00 – 13:00 is blocked/).waitFor();
  expect(await timeOffOf(page, staffIds[1], date)).toEqual(lunch);

  await page.getByRole('link', { name: 'Time off 12:00–13:00' }).click();
  const removal = page.getByRole('dialog', { name: 'Remove this time off?' });
  await loseNext('**/time-off/*/delete');
  await removal.getByRole('button', { name: 'Remove' }).click();
  await removal.getByText('There was no answer.').waitFor();
  await removal.getByRole('button', { name: 'Remove' }).click();
  await page.getByText(/no longer off/).waitFor();
  await loseNext('**/time-off');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Not undone. There was no answer.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText(/off again/).waitFor();
  expect(await timeOffOf(page, staffIds[1], date)).toEqual(lunch);

  await dragOver(page, columnOf(page, 'Cem'), 12.05, 12.95);
  // Longer than the field lets anybody type.
  await page.route('**/time-off', (route) => {
    const note = 'Long. '.repeat(200);
    return route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), note }) });
  });
  await send();
  await dialog.getByText(/^Note: Use at most [\d,]+ characters\.$/).waitFor();
});

it('without scripts both links lead to the page of the hours', async () => {
  const { email, calendar, staffIds } = await bookedSalon('Salon Plain Block');
  const page = await world.signIn(await world.newPage({ width: 1280, hasScripts: false }), email);
  await page.goto(calendar);
  await page.getByRole('link', { name: 'Block time of Ben' }).first().click();
  await page.waitForURL(new RegExp(`/settings/business/staff/${staffIds[1]}#time-off$`));
});

it('on a desk the plan fills the window, begins at the first opening hour, and its heads stay', async () => {
  const { email, calendar } = await bookedSalon('Salon Early', '05:30');
  const page = await world.signIn(await world.newPage(), email);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(calendar);
  const headTop = async () => (await page.locator('.plan-head').first().boundingBox())?.y ?? -1;
  const before = await headTop();
  const early = page.getByRole('link', { name: /^05:30 Mia Wong/ });
  const isUnderHead = async () => ((await early.boundingBox())?.y ?? 0) < before;
  expect(await isUnderHead()).toBe(true);
  // As far as it can be: the end of the day may be in sight before.
  const begun = await page.evaluate<number>('document.querySelector(".plan").scrollTop');
  expect(begun).toBeGreaterThan(3 * 76);
  expect(begun).toBeLessThanOrEqual(4 * 76);
  // All of it is in the window, but for a line or two of what is said below.
  const plan = await page.locator('.plan').boundingBox();
  expect((plan?.y ?? 0) + (plan?.height ?? 0)).toBeGreaterThan(800);
  expect(await page.evaluate('document.documentElement.scrollHeight <= innerHeight')).toBe(true);
  await page.mouse.move(700, 500);
  await page.mouse.wheel(0, -5_000);
  await eventually(async () => expect(await isUnderHead()).toBe(false));
  await page.mouse.wheel(0, 5_000);
  await eventually(async () => expect(await isUnderHead()).toBe(true));
  expect(await headTop()).toBe(before);
});

/** With one finger. */
async function swipe(page: Page, by: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x, y: 400 }],
    });
  const from = 195 - by / 2;
  await touch('touchStart', from);
  for (const part of [0.2, 0.5, 0.8, 1]) await touch('touchMove', from + by * part);
  await touch('touchEnd');
  await session.detach();
}

it('on a phone a day is a list by person, which is swiped; its week is above it', async () => {
  const { email, calendar, date } = await bookedSalon('Salon Phone');
  const page = await world.signIn(await world.newPage({ width: 390 }), email);
  await page.goto(calendar);
  expect(await page.locator('.plan').isVisible()).toBe(false);
  const entry = page.locator('.day-list .entry', { hasText: 'Mia Wong' });
  const bar = await page.locator('.day-bar').boundingBox();
  const first = await entry.boundingBox();
  expect((first?.y ?? 1_000) - (bar?.y ?? 0)).toBeLessThan(200);
  await page.getByText('Fringe only').waitFor();
  expect(await page.getByRole('link', { name: '030 901820' }).getAttribute('href')).toBe('tel:+4930901820');
  await expectNoFaults(page, 'phone');

  const dateOf = () => new URL(page.url()).searchParams.get('date');
  const after = Temporal.PlainDate.from(date).add({ days: 1 }).toString();
  await swipe(page, -200);
  await page.waitForURL((url) => url.searchParams.get('date') === after);
  await swipe(page, 200);
  await page.waitForURL((url) => url.searchParams.get('date') === date);
  // Shorter ones lead nowhere, nor do those that go up or down.
  await entry.waitFor();
  await swipe(page, 30);
  expect(dateOf()).toBe(date);
  const monday = Temporal.PlainDate.from(date).subtract({
    days: Temporal.PlainDate.from(date).dayOfWeek - 1,
  });
  await page.locator('.week-strip a').first().click();
  await page.waitForURL((url) => url.searchParams.get('date') === monday.toString());

  await page.goto(`/settings/calendar/week?date=${date}`);
  await page.getByRole('link', { name: /Mia Wong/ }).waitFor();
  await expectNoFaults(page, 'week on a phone');
});
