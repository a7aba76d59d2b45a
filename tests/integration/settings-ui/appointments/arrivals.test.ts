import { ALL_DAY, everyDay, MONDAY } from '../../scheduling/salon.ts';
import { startCalendarWorld } from '../calendar-world.ts';
import { textOf } from '../customers-pages.ts';

let world: Awaited<ReturnType<typeof startCalendarWorld>>;
beforeAll(async () => {
  world = await startCalendarWorld();
});
afterAll(() => world.stop());

/** A zone where it is about noon: hours before and after now are of the same day. */
function zoneAtNoon(): string {
  const offset = 12 - new Date().getUTCHours();
  return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}

/** A salon that is always open, and what books so many minutes from now. */
async function salonOfToday() {
  const zone = zoneAtNoon();
  const staff = [{ name: 'Anna', services: ['Haircut'], hours: everyDay(ALL_DAY) }];
  const salon = await world.newSalon({ timezone: zone, pagesTimezone: zone, staff });
  const now = Temporal.Now.zonedDateTimeISO(zone);
  const bookedIn = (minutes: number) => {
    const start = now.add({ minutes }).toPlainDateTime().toString();
    return salon.booked({ appointment_date: start.slice(0, 10), appointment_time: start.slice(11, 16) });
  };
  const shown = async (id: number) => (await salon.browser.json('GET', addressOf(id))).body.data;
  const press = (id: number, verb: string, body: object = {}) =>
    salon.browser.json('POST', `${addressOf(id)}/${verb}`, body);
  return { ...salon, bookedIn, shown, press, today: now.toPlainDate().toString() };
}

const addressOf = (id: number) => `/settings/calendar/appointments/${id}`;
const ARRIVED = /Arrived \d\d:\d\d/;

describe('an arrival', () => {
  it('is a mark with its time, seen wherever the appointment is; it is no change of the record, and can be undone', async () => {
    const salon = await salonOfToday();
    const id = await salon.bookedIn(20);
    const before = await salon.shown(id);
    expect((await salon.browser.html(addressOf(id))).page).toContain(`action="${addressOf(id)}/arrive"`);
    const marked = await salon.browser.form(`${addressOf(id)}/arrive`, {});
    expect([marked.status, marked.headers.location]).toEqual([
      303,
      `${addressOf(id)}?done=appointment-arrived`,
    ]);
    const after = await salon.shown(id);
    expect(after).toEqual({ ...before, arrived_at: expect.any(String) });
    for (const path of [addressOf(id), '/settings', `/settings/calendar?date=${salon.today}`])
      expect([path, textOf((await salon.browser.html(path)).page)]).toEqual([
        path,
        expect.stringMatching(ARRIVED),
      ]);
    const { page } = await salon.browser.html(addressOf(id));
    expect(page).not.toContain('/arrive"');
    expect(page).not.toContain('/no-show"');
    // Once more keeps the first time.
    await salon.press(id, 'arrive');
    expect((await salon.shown(id)).arrived_at).toBe(after.arrived_at);
    expect(await salon.eventTypes()).toEqual(['appointment.created']);
    // A page that is older than the arrival records no no-show.
    const missed = await salon.press(id, 'no-show', { version: '"1"' });
    expect([missed.status, missed.body.errors.status]).toEqual([
      422,
      [expect.stringContaining('has arrived')],
    ]);

    expect((await salon.press(id, 'not-arrived')).status).toBe(200);
    expect((await salon.shown(id)).arrived_at ?? null).toBeNull();
    expect(textOf((await salon.browser.html('/settings')).page)).not.toMatch(ARRIVED);
    const log = textOf((await salon.browser.html('/settings/audit')).page);
    expect(log).toContain('Marked an arrival');
    expect(log).toContain('Undid an arrival');
  });

  it('422: before its day, and after its end', async () => {
    const salon = await salonOfToday();
    const later = await salon.booked({ appointment_date: MONDAY });
    expect((await salon.browser.html(addressOf(later))).page).not.toContain('/arrive"');
    const early = await salon.browser.form(`${addressOf(later)}/arrive`, {});
    expect([early.status, early.page.includes('on the day of the appointment.')]).toEqual([422, true]);
    const done = await salon.bookedIn(-60);
    await salon.press(done, 'complete');
    expect((await salon.press(done, 'arrive')).status).toBe(422);
    expect((await salon.press(await salon.bookedIn(-2 * 24 * 60), 'arrive')).status).toBe(422);
    expect((await salon.shown(later)).arrived_at ?? null).toBeNull();
  });

  it('412: of an appointment that somebody has moved since it was seen', async () => {
    const salon = await salonOfToday();
    const id = await salon.bookedIn(20);
    const version = String((await salon.browser.json('GET', addressOf(id))).headers.etag);
    await salon.change(id, { notes: 'Later' });
    expect((await salon.press(id, 'arrive', { version })).status).toBe(412);
  });
});

describe('a cancellation', () => {
  it('has a reason where somebody gives one, which the page shows and a restored one has no more', async () => {
    const salon = await salonOfToday();
    const id = await salon.bookedIn(120);
    const { page } = await salon.browser.html(addressOf(id));
    expect(page).toMatch(
      /<dialog id="cancel"[\s\S]*name="reason"[\s\S]*<option value="Customer is ill">[\s\S]*<\/dialog>/,
    );
    const answer = await salon.browser.form(`${addressOf(id)}/cancel`, {
      reason: ' Has a <cold>,\r\n poor her ',
    });
    expect(answer.status).toBe(303);
    expect((await salon.shown(id)).cancellation_reason).toBe('Has a <cold>, poor her');
    expect((await salon.browser.html(addressOf(id))).page).toContain('<dd>Has a &lt;cold&gt;, poor her</dd>');
    expect((await salon.press(id, 'reactivate')).status).toBe(200);
    expect((await salon.shown(id)).cancellation_reason ?? null).toBeNull();
  });

  it('needs none, and programs send one too', async () => {
    const salon = await salonOfToday();
    const [first, second] = [await salon.bookedIn(120), await salon.bookedIn(300)];
    expect((await salon.browser.form(`${addressOf(first)}/cancel`, { reason: '  ' })).status).toBe(303);
    expect((await salon.shown(first)).cancellation_reason ?? null).toBeNull();
    expect((await salon.press(second, 'cancel', { reason: 'We had to cancel' })).status).toBe(200);
    expect((await salon.shown(second)).cancellation_reason).toBe('We had to cancel');
  });

  it('422: a reason that is too long, or none that a page could show', async () => {
    const salon = await salonOfToday();
    const id = await salon.bookedIn(120);
    for (const reason of ['x'.repeat(201), 5, ['a'], { a: 1 }, 'a\0b']) {
      const { status, body } = await salon.press(id, 'cancel', { reason });
      expect([status, Object.keys(body.errors)]).toEqual([422, ['reason']]);
    }
    const refused = await salon.browser.form(`${addressOf(id)}/cancel`, { reason: 'x'.repeat(201) });
    expect([refused.status, refused.page.includes('Reason: Use at most 200 characters.')]).toEqual([
      422,
      true,
    ]);
    expect((await salon.shown(id)).status).toBe('scheduled');
  });
});

describe('the history', () => {
  it('says who has changed what, the latest first, from what to what', async () => {
    const salon = await salonOfToday();
    const id = await salon.bookedIn(120);
    await salon.browser.json('POST', `${addressOf(id)}/edit`, {
      duration_minutes: 90,
      price: 50,
      notes: 'Secret',
    });
    await salon.browser.json('POST', `${addressOf(id)}/cancel`, { reason: 'Customer is ill' });
    const { page } = await salon.browser.html(addressOf(id));
    const history = textOf(page.split('id="history"')[1]?.split('</section>')[0] ?? '');
    const who = String.raw`\S+@\S+`;
    expect(history).toMatch(
      new RegExp(
        [
          `${who}.*Status: Scheduled → Cancelled.*Reason changed`,
          `.*${who}.*Duration: 1 h → 1 h 30 min.*Price: 45,50 € → 50,00 €.*Note changed`,
          '.*The API.*Booked',
        ].join(''),
      ),
    );
    expect(history).not.toContain('Secret');
  });

  it('is what Undo in the message undoes: after an edit of what is completed it offers none', async () => {
    const salon = await salonOfToday();
    const id = await salon.bookedIn(-60);
    const completed = await salon.browser.form(`${addressOf(id)}/complete`, {});
    const offersUndo = async (location: unknown) =>
      (await salon.browser.html(String(location))).page.includes('class="notice good toast"');
    expect(await offersUndo(completed.headers.location)).toBe(true);
    expect(await offersUndo(`${addressOf(id)}?done=appointment-saved`)).toBe(false);
  });

  it('of somebody who is no admin any more names nobody', async () => {
    const salon = await salonOfToday();
    const id = await salon.bookedIn(120);
    const { browser: colleague, email } = await world.signedIn({ tenantId: salon.tenantId });
    await colleague.json('POST', `${addressOf(id)}/edit`, { price: 50 });
    expect((await salon.browser.html(addressOf(id))).page).toContain(email);
    const { admins } = (await salon.browser.json('GET', '/settings/people')).body.data;
    const { id: theirs } = admins.find((admin: { email: string }) => admin.email === email);
    expect((await salon.browser.json('DELETE', `/settings/people/${theirs}`)).status).toBe(200);
    const { page } = await salon.browser.html(addressOf(id));
    expect(page).toContain('A former member');
    expect(page).not.toContain(email);
  });
});

it('a customer with two no-shows has a badge at their name', async () => {
  const salon = await salonOfToday();
  const missed = [await salon.bookedIn(-300), await salon.bookedIn(-200)];
  const coming = await salon.bookedIn(20);
  const booking = `/settings/calendar/book?service_id=${salon.serviceIds[0]}&customer_id=${salon.customer_id}&date=${MONDAY}&time=10:00`;
  const places = ['/settings', addressOf(coming), `/settings/customers/${salon.customer_id}`, booking];
  const marked = async (path: string) =>
    (await salon.browser.html(path)).page.includes('<span class="badge bad">2 no-shows');
  const [first = 0, second = 0] = missed;
  await salon.press(first, 'no-show');
  for (const path of places) expect([path, await marked(path)]).toEqual([path, false]);
  await salon.press(second, 'no-show');
  for (const path of places) expect([path, await marked(path)]).toEqual([path, true]);
  const { body } = await salon.browser.json('GET', '/settings/customers/find?q=Mia');
  expect(body.data).toMatchObject([{ id: salon.customer_id, no_shows_text: '2 no-shows' }]);
});
