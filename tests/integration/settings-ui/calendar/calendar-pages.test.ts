import { bookingAddress } from '../../../../services/settings-ui/src/records/booking-query.rules.ts';
import { asOperator } from '../../scheduling/as-operator.ts';
import { MONDAY } from '../../scheduling/salon.ts';
import { startCalendarWorld } from '../calendar-world.ts';
import { NOBODY } from '../settings-world.ts';

let world: Awaited<ReturnType<typeof startCalendarWorld>>;
beforeAll(async () => {
  world = await startCalendarWorld();
});
afterAll(() => world.stop());

describe('an appointment', () => {
  const CALENDAR = `/settings/calendar?date=${MONDAY}`;

  it('shows all about it, and leads back to its day', async () => {
    const salon = await world.newSalon();
    const id = await salon.booked({ notes: 'Fringe\nonly' });
    const { page } = await salon.browser.html(`/settings/calendar/appointments/${id}`);
    for (const text of [
      ...['Haircut', 'Monday, 2 June 2031, 10:00–11:00', 'Mia Wong', '030 901820', 'Anna', '60 minutes'],
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

describe('the week', () => {
  /** As it stands in a page. */
  const bookingOn = (query: Parameters<typeof bookingAddress>[0]) =>
    bookingAddress(query).replaceAll('&', '&amp;');

  const WEEK = '/settings/calendar/week';
  const wednesday = '2031-06-04';

  it('has a row for each person, and leads to their days; of one person, what is free too', async () => {
    const salon = await world.newSalon();
    const [anna, ben] = salon.staffIds;
    const id = await salon.booked({ appointment_date: wednesday });
    const { status, page } = await salon.browser.html(`${WEEK}?date=${MONDAY}`);
    expect([status, page]).toEqual([200, expect.stringContaining('2 Jun – 8 Jun 2031')]);
    expect(page).toContain('1 appointment.');
    expect(page.match(/<th scope="col"/g)).toHaveLength(7);
    for (const name of ['Anna', 'Ben'])
      expect(page).toMatch(new RegExp(`<th scope="row">.*<a[^>]*>${name}</a>`));
    expect(page).toMatch(
      new RegExp(`href="/settings/calendar/appointments/${id}" title="10:00 Mia Wong, Haircut`),
    );
    expect(page).toContain(`href="/settings/calendar?date=${wednesday}"`);
    expect(page).toContain(`href="${WEEK}?date=2031-05-26"`);
    expect(page).toContain(`href="${WEEK}?date=2031-06-09"`);

    const ofAnna = (await salon.browser.html(`${WEEK}?date=${wednesday}&staff_id=${anna}`)).page;
    expect(ofAnna.match(/class="plan-head"/g)).toHaveLength(7);
    expect(ofAnna).toContain(`<option value="${anna}" selected>Anna</option>`);
    expect(ofAnna).toContain('1 appointment.');
    const onWednesday = (time: string) => bookingOn({ date: wednesday, time, staff_id: anna });
    expect(ofAnna).toContain(`href="${onWednesday('09:00')}"`);
    expect(ofAnna).not.toContain(onWednesday('10:00'));
    const ofBen = (await salon.browser.html(`${WEEK}?date=${wednesday}&staff_id=${ben}`)).page;
    expect(ofBen).toContain('0 appointments.');
    expect((await salon.browser.html(`${WEEK}?date=${wednesday}&staff_id=`)).page).toContain(
      '<th scope="row">',
    );
  });

  it('is followed as one week, whichever of its days led to it', async () => {
    const { browser } = await world.newSalon();
    const followed = await Promise.all(
      [MONDAY, wednesday].map(
        async (date) => /data-live="([^"]+)"/.exec((await browser.html(`${WEEK}?date=${date}`)).page)?.[1],
      ),
    );
    expect(followed).toEqual([`${WEEK}/live?date=${MONDAY}`, `${WEEK}/live?date=${MONDAY}`]);
  });

  it('of a business of one is theirs', async () => {
    const salon = await world.newSalon();
    for (const id of salon.staffIds.slice(1))
      await asOperator(world.scheduling, salon.tenantId)('DELETE', `/staff/${id}`);
    expect(
      (await salon.browser.html(`${WEEK}?date=${MONDAY}`)).page.match(/class="plan-head"/g),
    ).toHaveLength(7);
  });

  it('404 and 204 for somebody of another business; 422 for what is no date', async () => {
    const { staffIds } = await world.newSalon();
    const { browser } = await world.newSalon();
    const path = `${WEEK}?date=${MONDAY}&staff_id=${staffIds[0]}`;
    expect((await browser.html(path)).status).toBe(404);
    expect((await browser.html(path.replace('?', '/live?'))).status).toBe(204);
    const { status, page } = await browser.html(`${WEEK}?date=2031-02-30`);
    expect([status, page]).toEqual([422, expect.stringContaining('Go to this week')]);
  });

  it('in JSON is what scheduling says of the days', async () => {
    const salon = await world.newSalon();
    const id = await salon.booked({ appointment_date: wednesday });
    const { body } = await salon.browser.json('GET', `${WEEK}?date=${MONDAY}`);
    expect(body.data.map(({ date }: { date: string }) => date)).toEqual(
      [2, 3, 4, 5, 6, 7, 8].map((day) => `2031-06-0${day}`),
    );
    expect(body.data[2].columns[0]).toMatchObject({ name: 'Anna', appointments: [{ id, version: 1 }] });
  });
});

describe('where a part is away', () => {
  const CALENDAR = `/settings/calendar?date=${MONDAY}`;

  const away = (name: string) => ({ [name]: NOBODY });
  const signedInTo = async (salon: { tenantId: number }, env: Record<string, string>) => {
    const on = await world.startSettings({ ...env });
    return (await world.signedIn({ tenantId: salon.tenantId, on })).browser;
  };

  it('scheduling: 503 for JSON clients; the page leads to other days', async () => {
    const salon = await world.newSalon();
    const browser = await signedInTo(salon, away('SCHEDULING_INTERNAL_URL'));
    const { status, page } = await browser.html(CALENDAR);
    expect(status).toBe(200);
    expect(page).toContain('This day can’t be shown right now');
    expect(page).toContain('/settings/calendar?date=2031-06-03');
    expect((await browser.json('GET', CALENDAR)).status).toBe(503);
  });

  it('crm: numbers stand in for names', async () => {
    const salon = await world.newSalon();
    const id = await salon.booked();
    const browser = await signedInTo(salon, away('CRM_INTERNAL_URL'));
    const { page } = await browser.html(CALENDAR);
    expect(page).toContain('Customer names can’t be shown right now');
    expect(page).toContain(`10:00 Customer ${salon.customer_id}, Haircut, until 11:00, Scheduled`);
    const details = await browser.html(`/settings/calendar/appointments/${id}`);
    expect([details.status, details.page.includes(`Customer ${salon.customer_id}`)]).toEqual([200, true]);
  });

  it('the gateway: the day is whole, in its zone', async () => {
    const salon = await world.newSalon();
    await salon.booked();
    const browser = await signedInTo(salon, away('GATEWAY_INTERNAL_URL'));
    const { page } = await browser.html(CALENDAR);
    expect(page).toContain('10:00 Mia Wong');
    expect(page).toContain('Times are in Europe/Berlin');
  });
});
