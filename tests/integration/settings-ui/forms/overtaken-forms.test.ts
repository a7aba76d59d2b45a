import {
  addStaff,
  BUSINESS,
  type BusinessWorld,
  HOURS_FORM,
  openSalon,
  startBusinessWorld,
} from '../business-world.ts';
import { choicesOf, fieldsOf } from '../form-fields.ts';

let world: BusinessWorld;
beforeAll(async () => {
  world = await startBusinessWorld();
});
afterAll(() => world.stop());

type Salon = Awaited<ReturnType<typeof openSalon>>;
type Sent = Record<string, string | string[]>;

/** A form is opened; meanwhile somebody else saves theirs; then it is sent with a change of one’s own. */
async function overtaken(
  { browser }: Salon,
  {
    page,
    form,
    action = page,
    theirs,
    mine,
  }: { page: string; form: string; action?: string; theirs: Sent; mine: Sent },
) {
  const drawn = fieldsOf((await browser.html(page)).page, form);
  expect((await browser.form(action, { ...drawn, ...theirs })).status).toBe(303);
  const clash = await browser.form(action, { ...drawn, ...mine });
  expect([clash.status, clash.page.includes('Someone else has changed this in the meantime')]).toEqual([
    412,
    true,
  ]);
  const fields = fieldsOf(clash.page, form);
  return {
    page: clash.page,
    fields,
    save: async (chosen: Sent = {}) => {
      expect((await browser.form(action, { ...fields, ...chosen })).status).toBe(303);
    },
  };
}

it('a service: what only one of them changed is in, what both did is to be chosen', async () => {
  const salon = await openSalon(world);
  const { browser, serviceId } = salon;
  const ben = await addStaff(browser, { name: 'Ben' });
  const page = `${BUSINESS}/services/${serviceId}`;
  const clash = await overtaken(salon, {
    page,
    form: 'service-form',
    theirs: { name: 'Theirs', duration_minutes: '30', description: 'One\r\nTwo' },
    mine: { name: 'Mine', price: '29,50', performers: [String(ben)], shown_performers: [String(salon.anna)] },
  });
  expect(choicesOf(clash.page, 'name')).toEqual(['Mine', 'Theirs']);
  expect(clash.page.replaceAll(/<[^>]*>/g, '')).toMatch(/Yours: Mine\s*Theirs: Theirs/);
  expect(clash.fields).toMatchObject({
    duration_minutes: ['30'],
    price: ['29,50'],
    description: ['One\nTwo'],
  });
  expect(clash.fields.performers).toEqual([String(ben)]);
  expect(clash.fields.name).toBeUndefined();
  await clash.save({ name: 'Theirs' });
  const { data } = (await browser.json('GET', page)).body;
  expect(data).toMatchObject({ name: 'Theirs', duration_minutes: 30, price: 29.5, description: 'One\nTwo' });
});

it('a staff member: services are merged one by one', async () => {
  const salon = await openSalon(world);
  const { browser, path, serviceId } = salon;
  const add = async (name: string) => {
    const body = { name, duration_minutes: 30, price: 10 };
    return String((await browser.json('POST', `${BUSINESS}/services/new`, body)).body.data.id);
  };
  const [cut, dye] = [await add('Cut'), await add('Dye')];
  const own = String(serviceId);
  const clash = await overtaken(salon, {
    page: path,
    form: 'staff-form',
    theirs: { service_ids: [own, cut], specialties: 'Perms' },
    mine: { service_ids: [dye], name: 'Anna B.' },
  });
  expect(clash.fields).toMatchObject({ name: ['Anna B.'], specialties: ['Perms'] });
  await clash.save();
  const { data } = (await browser.json('GET', path)).body;
  expect(data).toMatchObject({ name: 'Anna B.', specialties: ['Perms'] });
  expect(data.service_ids.map(String).toSorted()).toEqual([cut, dye].toSorted());
});

it('weekly hours: by day, and a day that both changed is to be chosen', async () => {
  const salon = await openSalon(world);
  const { browser, path } = salon;
  const week = { monday_start: '09:00', monday_end: '17:00', friday_start: '09:00', friday_end: '17:00' };
  expect((await browser.form(`${path}/hours`, { ...HOURS_FORM, ...week })).status).toBe(303);
  const clash = await overtaken(salon, {
    page: path,
    action: `${path}/hours`,
    form: 'hours-form',
    theirs: { monday_start: '10:00', tuesday_start: '08:00', tuesday_end: '12:00' },
    mine: { monday_end: '15:00', friday_end: '13:00' },
  });
  expect(choicesOf(clash.page, 'monday_chosen')).toEqual(['09:00-15:00', '10:00-17:00']);
  expect(clash.fields).toMatchObject({ tuesday_start: ['08:00'], friday_end: ['13:00'] });
  await clash.save({ monday_chosen: '10:00-17:00' });
  const drawn = fieldsOf((await browser.html(path)).page, 'hours-form');
  expect(drawn).toMatchObject({
    monday_start: ['10:00'],
    monday_end: ['17:00'],
    tuesday_start: ['08:00'],
    friday_end: ['13:00'],
  });
});

it('weekly hours of staff who follow the business’s meanwhile are merged by day with those', async () => {
  const { browser, path } = await openSalon(world);
  const opening = { monday_start: '08:00', monday_end: '18:00', friday_start: '08:00', friday_end: '14:00' };
  await browser.form(`${BUSINESS}/opening-hours/hours`, { ...HOURS_FORM, ...opening });
  const week = { monday_start: '09:00', monday_end: '17:00', friday_start: '09:00', friday_end: '17:00' };
  await browser.form(`${path}/hours`, { ...HOURS_FORM, ...week });
  const drawn = fieldsOf((await browser.html(path)).page, 'hours-form');
  expect((await browser.form(`${path}/follow-hours`, {})).status).toBe(303);
  const clash = await browser.form(`${path}/hours`, { ...drawn, monday_end: '15:00' });
  expect([clash.status, choicesOf(clash.page, 'monday_chosen')]).toEqual([
    412,
    ['09:00-15:00', '08:00-18:00'],
  ]);
  expect(fieldsOf(clash.page, 'hours-form')).toMatchObject({
    friday_start: ['08:00'],
    friday_end: ['14:00'],
  });
});

it('hours of a date: a date that somebody else has given hours meanwhile is to be chosen', async () => {
  const salon = await openSalon(world);
  const { browser, path } = salon;
  const date = '2031-06-03';
  const clash = await overtaken(salon, {
    page: path,
    action: `${path}/exceptions`,
    form: 'exception-form',
    theirs: { date, kind: 'closed', note: 'Fair' },
    mine: { date, start: ['10:00', ''], end: ['12:00', ''] },
  });
  expect(choicesOf(clash.page, 'chosen_hours')).toEqual(['10:00-12:00', 'closed']);
  expect(clash.fields).toMatchObject({ date: [date], note: ['Fair'] });
  await clash.save({ chosen_hours: '10:00-12:00' });
  const { page } = await browser.html(`${path}?date=${date}`);
  expect(fieldsOf(page, 'exception-form')).toMatchObject({
    kind: ['hours'],
    start: ['10:00', ''],
    note: ['Fair'],
  });
});

it('a date of one’s own, and time off, are kept where somebody else changed something else', async () => {
  const salon = await openSalon(world);
  const { path, browser } = salon;
  const drawn = (await browser.html(path)).page;
  const forms = {
    exceptions: { ...fieldsOf(drawn, 'exception-form'), date: '2031-06-04', kind: 'closed', note: 'Mine' },
    'time-off': { ...fieldsOf(drawn, 'time-off-form'), first_day: '2031-06-05', note: 'Mine' },
  };
  await browser.form(`${path}/exceptions`, { date: '2031-06-03', kind: 'closed' });
  const clash = await browser.form(`${path}/exceptions`, forms.exceptions);
  expect(clash.status).toBe(412);
  const fields = fieldsOf(clash.page, 'exception-form');
  expect(fields).toMatchObject({ date: ['2031-06-04'], kind: ['closed'], note: ['Mine'] });
  expect((await browser.form(`${path}/exceptions`, fields)).status).toBe(303);
  const off = await browser.form(`${path}/time-off`, forms['time-off']);
  const again = fieldsOf(off.page, 'time-off-form');
  expect([off.status, again.first_day, again.note]).toEqual([412, ['2031-06-05'], ['Mine']]);
  expect((await browser.form(`${path}/time-off`, again)).status).toBe(303);
});

it('booking rules: a notice is one thing, whatever its unit', async () => {
  const salon = await openSalon(world);
  const clash = await overtaken(salon, {
    page: BUSINESS,
    action: `${BUSINESS}/booking`,
    form: 'booking-form',
    theirs: { minimum_notice_minutes: '2', notice_unit: 'days', horizon_days: '90' },
    mine: { minimum_notice_minutes: '3', notice_unit: 'hours', slot_step_minutes: '20' },
  });
  expect(choicesOf(clash.page, 'minimum_notice_minutes')).toEqual(['180', '2880']);
  expect(clash.fields).toMatchObject({ slot_step_minutes: ['20'], horizon_days: ['90'] });
  await clash.save({ minimum_notice_minutes: '2880' });
  const { booking_settings } = (await salon.browser.json('GET', BUSINESS)).body.data;
  expect(booking_settings).toMatchObject({
    minimum_notice_minutes: 2_880,
    horizon_days: 90,
    slot_step_minutes: 20,
  });
});

it('the name of the business, by people who have no script: chosen, saved, and nothing is asked again', async () => {
  const salon = await openSalon(world);
  const clash = await overtaken(salon, {
    page: BUSINESS,
    action: `${BUSINESS}/profile`,
    form: 'profile-form',
    theirs: { name: 'Theirs' },
    mine: { name: 'Mine' },
  });
  expect(choicesOf(clash.page, 'name')).toEqual(['Mine', 'Theirs']);
  await clash.save({ name: 'Mine' });
  expect((await salon.browser.json('GET', BUSINESS)).body.data.profile.name).toBe('Mine');
});
