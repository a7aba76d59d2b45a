import { everyDay, MONDAY, NINE_TO_FIVE } from '../../scheduling/salon.ts';
import { startCalendarWorld } from '../calendar-world.ts';

let world: Awaited<ReturnType<typeof startCalendarWorld>>;
beforeAll(async () => {
  world = await startCalendarWorld();
});
afterAll(() => world.stop());

const TUESDAY = '2031-06-03';
const PAST = '2025-06-02';
const TYPED_WRONG = 'Starts at: Enter a date and a time.';
const FULL_MINUTE = 'Choose a full minute. Where clocks show a time twice, choose the first.';
const ONLY_THE_FIRST =
  'The starts_at field must be a full minute; where clocks show it twice, the first time.';
const addressOf = (id: number) => `/settings/calendar/appointments/${id}`;
type Salon = Awaited<ReturnType<typeof world.newSalon>>;
const shown = async ({ browser }: Salon, id: number) => {
  const { body, headers } = await browser.json('GET', addressOf(id));
  return { ...body.data, etag: headers.etag };
};

/** A zone where it is about noon: in two hours it is still the same day. */
function zoneAtNoon(): string {
  const offset = 12 - new Date().getUTCHours();
  return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}

describe('how an appointment ends', () => {
  it.each([
    ['cancel', 'cancelled', 'appointment.cancelled', MONDAY],
    ['complete', 'completed', 'appointment.updated', MONDAY],
    ['no-show', 'no_show', 'appointment.updated', PAST],
  ])('%s, and back: each sends its own event', async (verb, status, event, appointment_date) => {
    const salon = await world.newSalon();
    const id = await salon.booked({ appointment_date });
    const { etag: version } = await shown(salon, id);
    const answer = await salon.browser.form(`${addressOf(id)}/${verb}`, { version });
    expect([answer.status, (await shown(salon, id)).status]).toEqual([303, status]);
    const { page } = await salon.browser.html(String(answer.headers.location));
    // In the toast, and for those who miss it on the page.
    const undo = `<form method="post" action="${addressOf(id)}/reactivate"`;
    const toast = /class="notice good toast" role="status"[^>]*><span>[^<]+<\/span>([\s\S]*?)<\/div>/.exec(
      page,
    );
    expect(toast?.[1]).toContain(undo);
    expect(page.split('<div class="undo">')[1]).toContain(undo);
    expect(page).toContain(
      status === 'completed'
        ? 'Undo schedules it again.'
        : 'Undo restores the original time if it’s still free.',
    );
    // Nobody at a front desk knows events.
    expect(page).not.toContain('appointment.updated');
    const overtaken = await salon.browser.form(`${addressOf(id)}/${verb}`, { version });
    expect([overtaken.status, overtaken.page.includes('Someone else has changed this')]).toEqual([412, true]);
    const undone = await salon.browser.json('POST', `${addressOf(id)}/reactivate`, {});
    expect([undone.status, undone.body.data.status]).toEqual([200, 'scheduled']);
    expect(await salon.eventTypes()).toEqual(['appointment.created', event, 'appointment.updated']);
  });

  it('offers other times where the time of a cancelled one is taken', async () => {
    const salon = await world.newSalon();
    const id = await salon.booked();
    await salon.cancel(id);
    await salon.booked();
    const refused = await salon.browser.form(`${addressOf(id)}/reactivate`, {});
    expect([refused.status, refused.page.includes('This time is taken')]).toEqual([409, true]);
    const [, starts_at = ''] = /name="starts_at" value="([^"]+)"/.exec(refused.page) ?? [];
    const back = await salon.browser.json('POST', `${addressOf(id)}/reactivate`, { starts_at });
    expect([back.status, `${MONDAY}T${back.body.data.appointment_time}`]).toEqual([200, starts_at]);
  });

  it('422: a no-show before its start, also hours before it on its day', async () => {
    const timezone = zoneAtNoon();
    const salon = await world.newSalon({ timezone, pagesTimezone: timezone });
    const start = Temporal.Now.plainDateTimeISO(timezone).add({ hours: 2 });
    const [appointment_date, appointment_time] = [
      start.toPlainDate().toString(),
      start.toString().slice(11, 16),
    ];
    const id = await salon.booked({ appointment_date, appointment_time });
    const { page } = await salon.browser.html(addressOf(id));
    expect(page).toContain(`From ${appointment_time} on it can be marked as a no-show.`);
    expect(page).not.toContain('/no-show"');
    // Somebody may be served before their time.
    expect(page).toContain('/complete"');
    const { etag } = await shown(salon, id);
    const sentence = 'It can be marked as a no-show from its start on.';
    const refused = await salon.browser.form(`${addressOf(id)}/no-show`, { version: etag });
    expect([refused.status, refused.page.includes(`has not begun yet. ${sentence}`)]).toEqual([422, true]);
    const asked = await salon.browser.json('POST', `${addressOf(id)}/no-show`, {});
    expect([asked.status, asked.body.errors]).toEqual([422, { status: [expect.stringContaining(sentence)] }]);
    expect((await shown(salon, id)).status).toBe('scheduled');
    // Programs go on by the contract, which restricts no change of a status.
    await salon.change(id, { status: 'no_show' });
    const again = await salon.browser.json('POST', `${addressOf(id)}/no-show`, {});
    expect([again.status, again.body.data.status]).toEqual([200, 'no_show']);
  });

  it('has what is possible: nobody came before its start; the number can be dialled', async () => {
    const salon = await world.newSalon();
    const { page } = await salon.browser.html(addressOf(await salon.booked()));
    expect(page).toContain('href="tel:+4930901820"');
    expect(page).toContain(`/settings/calendar/book?service_id=${salon.serviceIds[0]}&amp;staff_id=`);
    expect(page).not.toContain('No-show<');
    const past = await salon.booked({ appointment_date: PAST });
    expect((await salon.browser.html(addressOf(past))).page).toContain('No-show<');
  });
});

describe('a move', () => {
  it('takes a clock time or an instant, and offers the way back', async () => {
    const salon = await world.newSalon();
    const id = await salon.booked();
    const { starts_at: was } = await shown(salon, id);
    const [anna, ben] = salon.staffIds;
    const moved = await salon.browser.form(`${addressOf(id)}/move`, {
      starts_at: `${TUESDAY}T14:00`,
      staff_id: String(ben),
    });
    expect(moved.status).toBe(303);
    expect(await shown(salon, id)).toMatchObject({
      appointment_date: TUESDAY,
      appointment_time: '14:00',
      staff_id: ben,
    });
    const { page } = await salon.browser.html(String(moved.headers.location));
    expect(page).toContain('It was on Monday, 2 June 2031 at 10:00.');
    expect(page).toContain(`name="starts_at" value="${was}"`);
    // Somebody has moved it on: the way back is no longer of this move.
    await salon.change(id, { appointment_time: '15:00' });
    const moveOn = await salon.browser.html(String(moved.headers.location));
    expect(moveOn.page).not.toContain('It was on');
    const body = { starts_at: was, staff_id: anna };
    const back = await salon.browser.json('POST', `${addressOf(id)}/move`, body);
    expect([back.status, back.body.data]).toMatchObject([
      200,
      { appointment_date: MONDAY, appointment_time: '10:00', staff_id: anna },
    ]);
  });

  it('shows the free times of its staff member, or of others', async () => {
    const salon = await world.newSalon();
    const id = await salon.booked();
    const [, ben] = salon.staffIds;
    const { page } = await salon.browser.html(`${addressOf(id)}/move`);
    expect(page).toContain(`name="starts_at" value="${MONDAY}T14:00"`);
    expect(page).not.toContain(`button type="submit" name="starts_at" value="${MONDAY}T10:00"`);
    const ofBen = await salon.browser.html(`${addressOf(id)}/move?staff_id=${ben}`);
    expect(ofBen.page).toContain(`name="starts_at" value="${MONDAY}T10:00"`);
  });

  it('offers times that overlap its own, but not where it is; a button has the focus nowhere', async () => {
    const salon = await world.newSalon();
    const id = await salon.booked();
    const [anna, ben] = salon.staffIds;
    await salon.booked({ appointment_time: '14:00' });
    const offeredIn = ({ page }: { page: string }) =>
      [...page.matchAll(/<button[^>]*name="starts_at" value="2031-06-02T([^"]+)"/g)].map(([, time]) => time);
    const own = await salon.browser.html(`${addressOf(id)}/move`);
    expect(offeredIn(own)).toEqual(expect.arrayContaining(['09:15', '09:45', '10:15', '10:45']));
    expect(offeredIn(own)).not.toContain('10:00');
    // Another one of hers blocks as ever.
    expect(offeredIn(own)).not.toContain('14:15');
    expect(own.page).not.toMatch(/<button[^>]*\b(autofocus|data-focus)/);
    expect(own.page).toMatch(/<h2[^>]* autofocus/);
    expect(offeredIn(await salon.browser.html(`${addressOf(id)}/move?staff_id=${ben}`))).toContain('10:00');
    const ofAnyone = offeredIn(await salon.browser.html(`${addressOf(id)}/move?staff_id=any`));
    expect([ofAnyone.includes('10:00'), ofAnyone.includes('10:15')]).toEqual([false, true]);
    const moved = await salon.browser.form(`${addressOf(id)}/move`, {
      starts_at: `${MONDAY}T10:15`,
      staff_id: String(anna),
    });
    expect([moved.status, (await shown(salon, id)).appointment_time]).toEqual([303, '10:15']);
  });

  it('of one that gave its time up offers that again', async () => {
    const salon = await world.newSalon();
    const id = await salon.booked();
    await salon.cancel(id);
    const { page } = await salon.browser.html(`${addressOf(id)}/move`);
    expect(page).toContain(`name="starts_at" value="${MONDAY}T10:00"`);
  });

  it('keeps the time that was chosen elsewhere', async () => {
    const salon = await world.newSalon();
    const id = await salon.booked();
    const { page } = await salon.browser.html(`${addressOf(id)}/move?date=${TUESDAY}&time=15:20`);
    expect(page).toContain(`value="${TUESDAY}T15:20"`);
  });

  it('to another time leaves it with its staff member, even one who no longer performs the service', async () => {
    const hours = everyDay(NINE_TO_FIVE);
    const services = ['Haircut', 'Shave'].map((name) => ({ name, duration_minutes: 60, price: 45.5 }));
    const staff = [
      { name: 'Anna', services: ['Haircut', 'Shave'], hours },
      { name: 'Ben', services: ['Haircut'], hours },
    ];
    const salon = await world.newSalon({ services, staff });
    const id = await salon.booked();
    const [anna] = salon.staffIds;
    await world.scheduling.importBusiness(salon.tenantId, {
      staff: [{ name: 'Anna', services: ['Shave'] }],
    });
    const { page } = await salon.browser.html(`${addressOf(id)}/move`);
    expect(page).toContain(`<option value="${anna}" selected>Anna`);
  });

  it('409: the alternatives are there to be clicked, and for programs in the answer', async () => {
    const salon = await world.newSalon();
    const id = await salon.booked({ appointment_date: TUESDAY });
    await salon.booked();
    const starts_at = `${MONDAY}T10:00`;
    const refused = await salon.browser.form(`${addressOf(id)}/move`, { starts_at });
    expect([refused.status, refused.page.includes('This time is taken, so nothing is changed.')]).toEqual([
      409,
      true,
    ]);
    const { status, body } = await salon.browser.json('POST', `${addressOf(id)}/move`, { starts_at });
    expect([status, body.data.alternatives.length]).toEqual([409, 5]);
    for (const { date, time } of body.data.alternatives)
      expect(refused.page).toContain(
        `name="starts_at" value="${date}T${time}">${date === MONDAY ? 'Mon' : ''}`,
      );
  });

  it('409: the alternatives are those of the staff member who was asked for, and lead to them', async () => {
    const salon = await world.newSalon();
    const [, ben] = salon.staffIds;
    const id = await salon.booked({ appointment_date: TUESDAY });
    for (const staff_id of salon.staffIds) await salon.booked({ staff_id });
    const starts_at = `${MONDAY}T10:00`;
    const hiddenIn = (page: string, name: string) =>
      new RegExp(`<input type="hidden" name="${name}" value="([^"]*)">`).exec(page)?.[1];
    for (const staff_id of ['any', String(ben)]) {
      const refused = await salon.browser.form(`${addressOf(id)}/move`, {
        starts_at,
        staff_id,
        date: MONDAY,
      });
      const asked = ['staff_id', 'date'].map((name) => hiddenIn(refused.page, name));
      expect([refused.status, ...asked]).toEqual([409, staff_id, MONDAY]);
      expect(refused.page).toContain(`<option value="${staff_id}" selected>`);
    }
  });

  it('that was refused goes by the version that was seen, until somebody has seen another', async () => {
    const salon = await world.newSalon();
    const id = await salon.booked();
    const { etag } = await shown(salon, id);
    await salon.change(id, { appointment_time: '14:00' });
    const versionIn = (page: string) => /name="version" value="([^"]+)"/.exec(page)?.[1];
    const moved = (starts_at: string, version: string) =>
      salon.browser.form(`${addressOf(id)}/move`, { starts_at, version });
    const escaped = String(etag).replaceAll('"', '&quot;');
    const refused = await moved('', String(etag));
    expect([refused.status, versionIn(refused.page)]).toEqual([422, escaped]);
    const overtaken = await moved(`${TUESDAY}T15:00`, String(etag));
    expect([overtaken.status, versionIn(overtaken.page) === escaped]).toEqual([412, false]);
  });

  it.each([
    ['', 'Choose a date and a time.', 'Choose a date and a time.'],
    ['tomorrow', 'The starts_at field must be a date and a time.', TYPED_WRONG],
    [`${MONDAY}T25:00`, 'The starts_at field must be a date and a time that exist.', TYPED_WRONG],
    // Of the two, scheduling books the first.
    ['2031-10-26T02:30:00+01:00', ONLY_THE_FIRST, FULL_MINUTE],
    [`${MONDAY}T12:00:30Z`, ONLY_THE_FIRST, FULL_MINUTE],
  ])('422: to “%s”; people read it otherwise than programs', async (starts_at, message, words) => {
    const salon = await world.newSalon();
    const id = await salon.booked();
    const { status, body } = await salon.browser.json('POST', `${addressOf(id)}/move`, { starts_at });
    expect([status, body.errors, body.words]).toEqual([422, { starts_at: [message] }, words]);
  });
});

it('404: of another business’s appointment nothing can be seen or changed', async () => {
  const [salon, other] = [await world.newSalon(), await world.newSalon()];
  const id = await salon.booked();
  for (const verb of ['cancel', 'complete', 'no-show', 'reactivate', 'move']) {
    const body = { starts_at: `${TUESDAY}T14:00` };
    const { status } = await other.browser.json('POST', `${addressOf(id)}/${verb}`, body);
    expect([verb, status]).toEqual([verb, 404]);
  }
  expect((await other.browser.html(`${addressOf(id)}/move`)).status).toBe(404);
  expect(await salon.eventTypes()).toEqual(['appointment.created']);
});
