import { everyDay, MONDAY, NINE_TO_FIVE } from '../../scheduling/salon.ts';
import { startCalendarWorld } from '../calendar-world.ts';
import { choicesOf, fieldsOf } from '../form-fields.ts';

let world: Awaited<ReturnType<typeof startCalendarWorld>>;
beforeAll(async () => {
  world = await startCalendarWorld();
});
afterAll(() => world.stop());

const addressOf = (id: number) => `/settings/calendar/appointments/${id}`;
type Salon = Awaited<ReturnType<typeof world.newSalon>>;
const shown = async ({ browser }: Salon, id: number) => (await browser.json('GET', addressOf(id))).body.data;

/** Two services; Anna performs both, Ben cuts hair alone. */
async function salonOfTwo() {
  const hours = everyDay(NINE_TO_FIVE);
  const salon = await world.newSalon({
    services: [
      { name: 'Haircut', duration_minutes: 60, price: 45.5 },
      { name: 'Shave', duration_minutes: 30, price: 20 },
    ],
    staff: [
      { name: 'Anna', services: ['Haircut', 'Shave'], hours },
      { name: 'Ben', services: ['Haircut'], hours },
    ],
  });
  const [haircut = 0, shave = 0] = salon.serviceIds;
  const [anna = 0, ben = 0] = salon.staffIds;
  return { ...salon, haircut, shave, anna, ben };
}

/** What a browser sends of the form, as it is drawn, with what somebody typed. */
async function typedInto({ browser }: Salon, id: number, typed: Record<string, string>) {
  const { page } = await browser.html(`${addressOf(id)}/edit`);
  const drawn = fieldsOf(page, 'appointment-form');
  return {
    ...Object.fromEntries(Object.entries(drawn).map(([name, [value = '']]) => [name, value])),
    ...typed,
  };
}

async function saved(salon: Salon, id: number, typed: Record<string, string>) {
  return salon.browser.form(`${addressOf(id)}/edit`, await typedInto(salon, id, typed));
}

it('changes note, person, length and price where it is, with the event of a change; the page leads there', async () => {
  const salon = await salonOfTwo();
  const id = await salon.booked();
  expect((await salon.browser.html(addressOf(id))).page).toContain(`href="${addressOf(id)}/edit">Edit</a>`);
  const answer = await saved(salon, id, {
    notes: ' Left side <b>shorter\r\nthan the right ',
    staff_id: String(salon.ben),
    duration_minutes: '75',
    price: '1.050,5',
  });
  expect([answer.status, answer.headers.location]).toEqual([303, `${addressOf(id)}?done=appointment-saved`]);
  expect(await shown(salon, id)).toMatchObject({
    notes: 'Left side <b>shorter\nthan the right',
    staff_id: salon.ben,
    duration_minutes: 75,
    price: 1050.5,
    appointment_date: MONDAY,
    appointment_time: '10:00',
  });
  expect(await salon.eventTypes()).toEqual(['appointment.created', 'appointment.updated']);
  const { page } = await salon.browser.html('/settings/audit');
  expect(page).toContain('Changed an appointment');
  expect(page).toContain(`Appointment ${id}, `);
});

it('another service brings its own length and price, unless these were changed too', async () => {
  const salon = await salonOfTwo();
  const [first, second] = [await salon.booked(), await salon.booked({ appointment_time: '14:00' })];
  const shave = String(salon.shave);
  expect((await saved(salon, first, { service_id: shave })).status).toBe(303);
  expect(await shown(salon, first)).toMatchObject({
    service_name: 'Shave',
    duration_minutes: 30,
    price: 20,
  });
  expect((await saved(salon, second, { service_id: shave, price: '25' })).status).toBe(303);
  expect(await shown(salon, second)).toMatchObject({ duration_minutes: 30, price: 25 });
});

it('an untouched form changes nothing', async () => {
  const salon = await salonOfTwo();
  const id = await salon.booked({ notes: 'a\nb' });
  const before = await shown(salon, id);
  expect((await saved(salon, id, {})).status).toBe(303);
  expect(await shown(salon, id)).toEqual(before);
  expect(await salon.eventTypes()).toEqual(['appointment.created']);
});

it('422: what can’t be is said beside the field, and what was typed stays', async () => {
  const salon = await salonOfTwo();
  const id = await salon.booked();
  const refusal = async (typed: Record<string, string>) => {
    const { status, page } = await saved(salon, id, { notes: 'Stays here', ...typed });
    expect([status, page.includes('Stays here')]).toEqual([422, true]);
    return page;
  };
  expect(await refusal({ price: '1.2.3' })).toContain('id="price-error">Enter an amount such as 29,50.');
  expect(await refusal({ duration_minutes: 'an hour' })).toContain('id="duration_minutes-error">Enter a ');
  expect(await refusal({ duration_minutes: '0' })).toContain('id="duration_minutes-error">Enter 1 or more.');
  const page = await refusal({ service_id: String(salon.shave), staff_id: String(salon.ben) });
  expect(page).toContain('id="staff_id-error">This person doesn’t do this service.');
  expect((await shown(salon, id)).notes).toBeNull();
});

it('409: a length for which there is no time is refused with others, and one press saves all of it there', async () => {
  const salon = await salonOfTwo();
  const id = await salon.booked();
  await salon.booked({ appointment_time: '11:00' });
  const typed = await typedInto(salon, id, { duration_minutes: '90', notes: 'Colour too' });
  const refused = await salon.browser.form(`${addressOf(id)}/edit`, typed);
  expect([refused.status, refused.page.includes('There isn’t enough free time for this.')]).toEqual([
    409,
    true,
  ]);
  const [, at = ''] = /<button type="submit"\s+name="at" value="([^"]+)"/.exec(refused.page) ?? [];
  expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
  const again = Object.fromEntries(
    Object.entries(fieldsOf(refused.page, 'appointment-form')).map(([name, [value = '']]) => [name, value]),
  );
  expect(again).toMatchObject({ duration_minutes: '90', notes: 'Colour too' });
  expect((await salon.browser.form(`${addressOf(id)}/edit`, { ...again, at })).status).toBe(303);
  const after = await shown(salon, id);
  expect(`${after.appointment_date}T${after.appointment_time}`).toBe(at);
  expect(after).toMatchObject({ duration_minutes: 90, notes: 'Colour too' });
});

it('412: what two people change is merged field by field', async () => {
  const salon = await salonOfTwo();
  const id = await salon.booked();
  const typed = await typedInto(salon, id, { price: '50', notes: 'Mine' });
  await salon.change(id, { notes: 'Theirs', staff_id: salon.ben });
  const { status, page } = await salon.browser.form(`${addressOf(id)}/edit`, typed);
  expect(status).toBe(412);
  expect(page).toContain('Where you both changed the same field, choose which value to keep.');
  expect(choicesOf(page, 'notes')).toEqual(['Mine', 'Theirs']);
  const merged = fieldsOf(page, 'appointment-form');
  expect(merged).toMatchObject({ price: ['50'], staff_id: [String(salon.ben)] });
  const next = Object.fromEntries(Object.entries(merged).map(([name, [value = '']]) => [name, value]));
  expect((await salon.browser.form(`${addressOf(id)}/edit`, { ...next, notes: 'Mine' })).status).toBe(303);
  expect(await shown(salon, id)).toMatchObject({ price: 50, staff_id: salon.ben, notes: 'Mine' });
});

it('programs change what they name, by the version that they have seen', async () => {
  const salon = await salonOfTwo();
  const id = await salon.booked();
  const read = await salon.browser.json('GET', `${addressOf(id)}/edit`);
  expect([read.status, read.body.data.id]).toEqual([200, id]);
  const version = String(read.headers.etag);
  const change = (body: object) => salon.browser.json('POST', `${addressOf(id)}/edit`, body);
  const { status, body } = await change({ price: 30, duration_minutes: 45, version });
  expect([status, body.data]).toMatchObject([200, { price: 30, duration_minutes: 45 }]);
  expect((await change({ price: 31, version })).status).toBe(412);
  expect((await change({ price: '30,5' })).body.data.price).toBe(30.5);
  expect((await change({ notes: null, service_id: 'x' })).body.errors).toEqual({
    service_id: [expect.any(String)],
  });
});

it('404: another business’s appointment can’t be seen or changed', async () => {
  const [salon, other] = [await salonOfTwo(), await salonOfTwo()];
  const id = await salon.booked();
  expect((await other.browser.html(`${addressOf(id)}/edit`)).status).toBe(404);
  for (const verb of ['edit', 'arrive', 'not-arrived'])
    expect((await other.browser.json('POST', `${addressOf(id)}/${verb}`, { price: 1 })).status).toBe(404);
  expect((await shown(salon, id)).price).toBe(45.5);
});
