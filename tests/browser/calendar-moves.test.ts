import { appointmentSchema } from '@frontdesk/contracts';
import type { Page } from 'playwright-core';
import { bookingOf, createCustomer, freeSlots } from '../e2e/support/business.ts';
import { eventually } from '../support/index.ts';
import { expectNoFaults } from './axe.ts';
import { type BusinessOfAdmin, useBrowserWorld } from './browser-world.ts';

const world = useBrowserWorld();

/** A business with an appointment at the first free time in two days, and who has it. */
async function bookedSalon(name: string) {
  const business = await world.newBusiness(name);
  const [slot] = await freeSlots(business, 2);
  if (!slot) throw new Error('no free slot');
  const { id: customerId } = await createCustomer(business.api, 'Mia Wong', '+49 30 901820');
  const book = async (time: string) => {
    const body = { ...bookingOf(slot, customerId, business.serviceId), appointment_time: time };
    const answer = await business.api('POST', '/appointments', { body });
    expect(answer.status).toBe(201);
    return appointmentSchema.parse(answer.body.data);
  };
  return { ...business, slot, book, appointment: await book(slot.time) };
}

const startOf = async ({ api }: BusinessOfAdmin, id: number) =>
  appointmentSchema.parse((await api('GET', `/appointments/${id}`)).body.data).appointment_time;

/** Drags it so many hours down within its column, and lets it go. */
async function dragDown(page: Page, id: number, hours: number): Promise<void> {
  const block = page.locator(`.appointment[href$="/${id}"] .box`);
  await block.scrollIntoViewIfNeeded();
  const box = await block.boundingBox();
  const column = await page.locator('.plan-column').first().boundingBox();
  if (!box || !column) throw new Error('nothing drawn');
  // From nine to five is drawn.
  const hour = column.height / 8;
  await page.mouse.move(box.x + 20, box.y + 5);
  await page.mouse.down();
  await page.mouse.move(box.x + 25, box.y + 5 + (hours * hour) / 2);
  await page.mouse.move(box.x + 25, box.y + 5 + hours * hour);
  await page.mouse.up();
}

it('an appointment is dragged to another time: asked, moved, undone; where that is taken, others are offered', async () => {
  const salon = await bookedSalon('Salon Drag');
  const { id } = salon.appointment;
  const page = await world.signIn(await world.newPage(), salon.email);
  await page.goto(`/settings/calendar?date=${salon.slot.date}`);
  const dialog = page.getByRole('dialog', { name: 'Move this appointment?' });

  await dragDown(page, id, 2);
  await dialog.getByText('Mia Wong, Haircut').waitFor();
  await dialog.getByText(', 11:00, ').waitFor();
  await dialog.getByRole('button', { name: 'Keep time' }).click();
  expect(await startOf(salon, id)).toBe('09:00');

  await dragDown(page, id, 2);
  await dialog.getByRole('button', { name: 'Move' }).click();
  await page.getByText('Mia Wong, Haircut: moved to').waitFor();
  await page.getByRole('link', { name: /^11:00 Mia Wong/ }).waitFor();
  expect(await startOf(salon, id)).toBe('11:00');
  await page.getByRole('button', { name: 'Undo' }).click();
  await dialog.getByRole('button', { name: 'Move' }).click();
  await page.getByText(/: moved to .*, 09:00, /).waitFor();
  await page.getByRole('link', { name: /^09:00 Mia Wong/ }).waitFor();
  expect(await startOf(salon, id)).toBe('09:00');

  // Somebody else takes the time while they are asked.
  await dragDown(page, id, 4);
  await dialog.getByText(', 13:00, ').waitFor();
  const staff_id = salon.appointment.staff_id;
  const taken = await salon.api('POST', '/appointments', {
    body: {
      ...bookingOf(salon.slot, salon.appointment.customer_id, salon.serviceId),
      appointment_time: '13:00',
      staff_id,
    },
  });
  expect(taken.status).toBe(201);
  await dialog.getByRole('button', { name: 'Move' }).click();
  await dialog.getByText('This time is taken.').waitFor();
  await dialog.getByRole('group', { name: 'Free times nearby' }).getByRole('button').first().click();
  await page.getByText('Mia Wong, Haircut: moved to').waitFor();
  await eventually(async () => expect(await startOf(salon, id)).not.toBe('09:00'));
});

it('what others move meanwhile stays where they have put it: a drag and its Undo go by what people saw', async () => {
  const salon = await bookedSalon('Salon Two Hands');
  const { id } = salon.appointment;
  const page = await world.signIn(await world.newPage(), salon.email);
  await page.goto(`/settings/calendar?date=${salon.slot.date}`);
  const dialog = page.getByRole('dialog', { name: 'Move this appointment?' });
  const move = () => dialog.getByRole('button', { name: 'Move' }).click();
  const moveByOthers = async (appointment_time: string) => {
    const { status } = await salon.api('PATCH', `/appointments/${id}`, { body: { appointment_time } });
    expect(status).toBe(200);
  };
  const shown = (time: string) => page.locator(`.appointment[data-time="${time}"]`).waitFor();
  const refused = async () => {
    await dialog.getByText('Someone else has changed this appointment').waitFor();
    await dialog.getByRole('button', { name: 'Keep time' }).click();
  };

  await dragDown(page, id, 2);
  await dialog.waitFor();
  await moveByOthers('14:00');
  await shown('14:00');
  await move();
  await refused();
  expect(await startOf(salon, id)).toBe('14:00');

  await dragDown(page, id, -2);
  await move();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await moveByOthers('10:00');
  await shown('10:00');
  await page.getByRole('button', { name: 'Undo' }).click();
  await move();
  await refused();
  await page.getByText('Mia Wong, Haircut: not moved back. Someone else has changed').waitFor();
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  expect(await startOf(salon, id)).toBe('10:00');

  // Moved on before the page shows it: there is nothing of one's own to undo.
  await dragDown(page, id, 2);
  await page.route(/\/settings\/calendar\?date=/, async (route) => {
    await moveByOthers('15:00');
    await route.continue();
  });
  await move();
  await page.getByText('Mia Wong, Haircut: moved to').waitFor();
  await page.getByRole('link', { name: 'Open it' }).waitFor();
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
});

it('what others book appears without a reload; a free time that is pressed begins a booking of it', async () => {
  const salon = await bookedSalon('Salon Live');
  const page = await world.signIn(await world.newPage(), salon.email);
  await page.goto(`/settings/calendar?date=${salon.slot.date}`);
  await page.getByText('1 appointment. First: ').waitFor();
  await salon.book('12:00');
  await page.getByRole('link', { name: /^12:00 Mia Wong/ }).waitFor();
  await page.getByText('2 appointments. First: ').waitFor();

  const column = page.locator('.plan-column').last();
  const box = await column.boundingBox();
  if (!box) throw new Error('nothing drawn');
  // A quarter past three, by the mouse; without it, links are half an hour apart.
  await column.click({ position: { x: 60, y: (box.height / 8) * 6.3 } });
  await page.waitForURL(/\/settings\/calendar\/book\?/);
  const query = new URL(page.url()).searchParams;
  expect([query.get('date'), query.get('time')]).toEqual([salon.slot.date, '15:15']);
  expect(salon.staffIds.map(String)).toContain(query.get('staff_id'));
});

it('axe finds nothing on a week, of everybody and of one, nor where a move is asked about', async () => {
  const salon = await bookedSalon('Salon Week');
  const page = await world.signIn(await world.newPage(), salon.email);
  const week = `/settings/calendar/week?date=${salon.slot.date}`;
  await page.goto(week);
  await page.getByRole('link', { name: 'Mia Wong' }).waitFor();
  await expectNoFaults(page, 'week');
  await page.goto(`${week}&staff_id=${salon.appointment.staff_id}`);
  await page.getByRole('link', { name: /Mia Wong/ }).waitFor();
  await expectNoFaults(page, 'week of one');
  await dragDown(page, salon.appointment.id, 1);
  await page.getByRole('dialog').waitFor();
  await expectNoFaults(page, 'question');
});

/** Somebody who dragged it there, and scrolled to the end before. */
async function draggedAtTheEnd(page: Page, salon: Awaited<ReturnType<typeof bookedSalon>>, time: string) {
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  const block = await page.locator(`.appointment[href$="/${salon.appointment.id}"] .box`).boundingBox();
  if (!block) throw new Error('nothing drawn');
  expect(block.y).toBeGreaterThan(0);
  await dragDown(page, salon.appointment.id, -1);
  await page.getByRole('dialog').getByText(`, ${time}, `).waitFor();
}

// Phones have lists, in which nothing is dragged.
it.each([1440, 768])(
  'after a drag at %s px, what was done and its Undo are in sight and announced, wherever the page is scrolled to',
  async (width) => {
    const height = 500;
    const salon = await bookedSalon(`Salon Undo ${width}`);
    const { api, appointment } = salon;
    const body = { appointment_time: '16:00', staff_id: salon.staffIds[2] };
    expect((await api('PATCH', `/appointments/${appointment.id}`, { body })).status).toBe(200);
    const page = await world.signIn(await world.newPage(), salon.email);
    await page.setViewportSize({ width, height });
    await page.goto(`/settings/calendar?date=${salon.slot.date}`);
    // What is said later is announced only where its place was there before.
    expect(await page.locator('#moved[role=status]').count()).toBe(1);
    await page.locator('.appointment').scrollIntoViewIfNeeded();
    await draggedAtTheEnd(page, salon, '15:00');
    // Enter and Space change nothing.
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Keep time');
    await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
    const undo = page.getByRole('status').getByRole('button', { name: 'Undo' });
    const { x, y, ...box } = (await undo.boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 };
    expect([x > 0, x + box.width < width, y > 0, y + box.height < height]).toEqual([true, true, true, true]);
    await expectNoFaults(page, 'moved');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    expect(await undo.count()).toBe(0);
  },
);

it('a move that failed is tried again or made elsewhere, with what was chosen; what came through is not sent twice', async () => {
  const salon = await bookedSalon('Salon Failed Move');
  const { id } = salon.appointment;
  const page = await world.signIn(await world.newPage(), salon.email);
  await page.goto(`/settings/calendar?date=${salon.slot.date}`);
  const dialog = page.getByRole('dialog', { name: 'Move this appointment?' });
  const elsewhere = dialog.getByRole('link', { name: 'Pick another time' });
  const again = dialog.getByRole('button', { name: 'Try again' });

  await dragDown(page, id, 2);
  await dialog.waitFor();
  expect([await elsewhere.count(), await again.count()]).toEqual([0, 0]);
  await page.context().setOffline(true);
  await dialog.getByRole('button', { name: 'Move' }).click();
  await dialog.getByText('There was no answer.').waitFor();
  await dialog.getByText(', 11:00, ').waitFor();
  await page.context().setOffline(false);
  await again.click();
  await page.getByText(': moved to ').waitFor();
  expect(await startOf(salon, id)).toBe('11:00');

  // The answer is lost on its way back.
  let sent = 0;
  await page.route('**/move', async (route) => {
    sent += 1;
    await route.fetch();
    await route.abort();
  });
  await dragDown(page, id, 1);
  await dialog.getByRole('button', { name: 'Move' }).click();
  await dialog.getByText('There was no answer.').waitFor();
  expect(await startOf(salon, id)).toBe('12:00');
  await again.click();
  await page.getByText(/: moved to .*, 12:00, /).waitFor();
  expect([await dialog.count(), sent]).toEqual([0, 1]);

  // A gateway on the way has answered in place of the pages.
  await page.unroute('**/move');
  await page.route('**/move', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await dragDown(page, id, 1);
  await dialog.getByRole('button', { name: 'Move' }).click();
  await dialog.getByText('There was no answer.').waitFor();
  await expectNoFaults(page, 'failed move');
  await elsewhere.click();
  await page.getByRole('heading', { name: 'Move the appointment' }).waitFor();
  expect(await page.getByLabel('Date and time').inputValue()).toBe(`${salon.slot.date}T13:00`);
  expect(await page.getByRole('combobox', { name: 'With' }).inputValue()).toBe(
    String(salon.appointment.staff_id),
  );
});

it('an appointment that others have changed meanwhile can be moved from where they have put it', async () => {
  const salon = await bookedSalon('Salon Anyway');
  const { id } = salon.appointment;
  const page = await world.signIn(await world.newPage(), salon.email);
  await page.goto(`/settings/calendar?date=${salon.slot.date}`);
  const dialog = page.getByRole('dialog', { name: 'Move this appointment?' });
  await dragDown(page, id, 2);
  await dialog.waitFor();
  const body = { appointment_time: '14:00' };
  expect((await salon.api('PATCH', `/appointments/${id}`, { body })).status).toBe(200);
  await dialog.getByRole('button', { name: 'Move' }).click();
  await dialog.getByText('Someone else has changed this appointment').waitFor();
  await dialog.locator('s', { hasText: ', 14:00, ' }).waitFor();
  await dialog.getByRole('button', { name: 'Move anyway' }).click();
  await page.getByText(/: moved to .*, 11:00, /).waitFor();
  expect(await startOf(salon, id)).toBe('11:00');
});
