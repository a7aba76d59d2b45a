import { MONDAY } from '../scheduling/salon.ts';
import { startCalendarWorld } from './calendar-world.ts';

let world: Awaited<ReturnType<typeof startCalendarWorld>>;
beforeAll(async () => {
  world = await startCalendarWorld();
});
afterAll(() => world.stop());

const CALENDAR = `/settings/calendar?date=${MONDAY}`;

describe('an appointment', () => {
  it('shows all about it, and leads back to its day', async () => {
    const salon = await world.newSalon();
    const id = await salon.booked({ notes: 'Fringe\nonly' });
    const { page } = await salon.browser.html(`/settings/calendar/appointments/${id}`);
    for (const text of [
      ...['Haircut', 'Monday, 2 June 2031, 10:00–11:00', 'Mia Wong', '+49 30 901820', 'Anna', '60 minutes'],
      ...['0 minutes before, 15 minutes after', '45,50\u00A0€', 'Fringe\nonly', `href="${CALENDAR}"`],
    ])
      expect(page).toContain(text);
  });

  it('404: of another business, or none; its days and customers stay unseen', async () => {
    const salon = await world.newSalon();
    const id = await salon.booked();
    const { browser } = await world.newSalon({ customer: 'Somebody Else' });
    for (const path of [id, 2 ** 40, 'x'].map((name) => `/settings/calendar/appointments/${name}`)) {
      const { status, page } = await browser.html(path);
      expect([status, page.includes('Mia Wong')]).toEqual([404, false]);
      expect((await browser.json('GET', path)).body.message).toBe('Appointment not found.');
    }
    expect((await browser.html(CALENDAR)).page).not.toContain('Mia Wong');
  });
});
