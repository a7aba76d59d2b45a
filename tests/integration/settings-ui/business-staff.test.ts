import {
  addService,
  addStaff,
  BUSINESS,
  type BusinessWorld,
  MONDAY,
  startBusinessWorld,
  versionIn,
  versionTo,
} from './business-world.ts';
import type { Browser } from './inject-browser.ts';

let world: BusinessWorld;
beforeAll(async () => {
  world = await startBusinessWorld();
});
afterAll(() => world.stop());

const STAFF = `${BUSINESS}/staff`;
/** What the form of weekly hours always sends. */
const FORM = { is_form: 'true' };

/** A business with one service and Anna, who performs it. */
async function openSalon() {
  const { browser, tenantId } = await world.signedIn();
  const serviceId = await addService(browser);
  const anna = await addStaff(browser, { service_ids: [serviceId] });
  const path = `${STAFF}/${anna}`;
  return { browser, tenantId, serviceId, anna, path, slots: () => world.slotTimes(tenantId, serviceId) };
}

const hoursOf = async (browser: Browser, path: string) => {
  const { page } = await browser.html(path);
  return [...page.matchAll(/<span class="spans">([\d:–, ]*)/g)].map(([, text]) => text);
};

it('adds a member of staff, edits, deactivates, activates and deletes them', async () => {
  const { browser, path, serviceId } = await openSalon();
  const added = await browser.form(`${STAFF}/new`, {
    name: 'Ben',
    specialties: 'Colour, perms,',
    has_services: '1',
  });
  const { body } = await browser.json('GET', STAFF);
  expect(body.data).toMatchObject([
    { name: 'Anna', service_ids: [serviceId] },
    { name: 'Ben', specialties: ['Colour', 'perms'], service_ids: [] },
  ]);
  expect(added.headers.location).toBe(`${STAFF}/${body.data[1].id}?done=staff-added`);

  const version = versionIn((await browser.html(path)).page, 'staff-form');
  const form = { name: 'Anna B.', specialties: '', has_services: '1', version };
  expect((await browser.form(path, form)).status).toBe(303);
  expect((await browser.form(`${path}/deactivate`, {})).status).toBe(303);
  expect((await browser.json('GET', path)).body.data).toMatchObject({
    name: 'Anna B.',
    service_ids: [],
    is_active: false,
  });
  expect((await browser.form(`${path}/activate`, {})).status).toBe(303);
  expect((await browser.form(`${path}/delete`, {})).headers.location).toBe(`${STAFF}?done=staff-deleted`);
  expect((await browser.html(path)).status).toBe(404);
});

it('hours that are entered are what customers are offered, breaks and all', async () => {
  const { browser, path, slots } = await openSalon();
  const empty = await browser.html(path);
  expect(empty.page).toContain('No hours yet, so nobody can book Anna.');
  expect(await slots()).toEqual([]);
  const saved = await browser.form(`${path}/hours`, {
    ...FORM,
    monday_start: ['13:00', '09:00', ''],
    monday_end: ['14:30', '10:15', ''],
    version: versionIn(empty.page, 'hours-form'),
  });
  expect([saved.status, saved.headers.location]).toEqual([303, `${path}?done=hours-saved`]);
  expect(await slots()).toEqual(['09:00', '09:15', '13:00', '13:15', '13:30']);
  expect((await hoursOf(browser, path))[0]).toBe('09:00–10:15, 13:00–14:30');
  const list = await browser.html(STAFF);
  expect(list.page).toContain('Mon 09:00–10:15, 13:00–14:30');
});

it('hours until midnight are entered as 00:00, and shown so again', async () => {
  const { browser, path } = await openSalon();
  await browser.form(`${path}/hours`, { ...FORM, friday_start: '20:00', friday_end: '00:00' });
  expect((await hoursOf(browser, path))[4]).toBe('20:00–24:00');
  expect((await browser.html(path)).page).toMatch(/name="friday_end" value="00:00"/);
});

it.each([
  ['overlap', { monday_start: ['09:00', '11:00'], monday_end: ['12:00', '13:00'] }, 'These hours overlap.'],
  [
    'end before they start',
    { monday_start: '20:00', monday_end: '02:00' },
    'The end must come after the start.',
  ],
  [
    'have no end',
    { monday_start: '09:00', monday_end: '' },
    'Enter both times, from and until; or clear both.',
  ],
  ['are no times', { monday_start: '9', monday_end: 'x' }, 'must be a time in the format H:i.'],
])('422: hours that %s; what was typed stays', async (_case, fields, message) => {
  const { browser, path } = await openSalon();
  const { status, page } = await browser.form(`${path}/hours`, {
    ...FORM,
    ...fields,
    tuesday_start: '08:00',
    tuesday_end: '09:00',
  });
  expect(status).toBe(422);
  const [, error] = /id="monday-error">([^<]*)/.exec(page) ?? [];
  expect(error).toContain(message);
  for (const text of [fields.monday_start, '08:00'].flat()) expect(page).toContain(`value="${text}"`);
  expect((await hoursOf(browser, path)).join('')).toBe('');
});

it('buttons fill the form in, and save nothing', async () => {
  const { browser, path } = await openSalon();
  const press = async (button: string, fields: Record<string, string | string[]> = {}) => {
    const { status, page } = await browser.form(`${path}/hours`, { ...fields, do: button });
    expect(status).toBe(200);
    expect(page).toContain('Not saved yet.');
    const times = (day: string) =>
      [...page.matchAll(new RegExp(`name="${day}_(?:start|end)" value="([^"]*)"`, 'g'))].map(
        ([, time]) => time,
      );
    return { monday: times('monday'), friday: times('friday'), sunday: times('sunday') };
  };
  const day = { monday_start: '08:00', monday_end: '16:00' };
  expect(await press('add:monday')).toMatchObject({ monday: ['09:00', '17:00'] });
  expect(await press('add:monday', day)).toMatchObject({ monday: ['08:00', '16:00', '', ''] });
  expect(await press('break:monday', day)).toMatchObject({ monday: ['08:00', '11:45', '12:15', '16:00'] });
  expect(await press('drop:monday:0', day)).toMatchObject({ monday: [] });
  expect(await press('copy-weekdays:monday', day)).toEqual({
    monday: ['08:00', '16:00'],
    friday: ['08:00', '16:00'],
    sunday: [],
  });
  expect(await press('copy-all:monday', day)).toMatchObject({ sunday: ['08:00', '16:00'] });
  expect((await hoursOf(browser, path)).join('')).toBe('');
});

it('412: hours that a colleague changed meanwhile are not overwritten; the picture shows theirs, the form one’s own', async () => {
  const { browser, path } = await openSalon();
  const version = versionIn((await browser.html(path)).page, 'hours-form');
  await browser.form(`${path}/hours`, { ...FORM, monday_start: '10:00', monday_end: '11:00', version });
  const mine = { ...FORM, monday_start: '12:00', monday_end: '13:00' };
  const clash = await browser.form(`${path}/hours`, { ...mine, version });
  expect(clash.status).toBe(412);
  expect(clash.page).toContain('Somebody else has changed this meanwhile');
  expect(clash.page).toContain('name="monday_start" value="12:00"');
  expect((await hoursOf(browser, path))[0]).toBe('10:00–11:00');
  const again = { ...mine, version: versionIn(clash.page, 'hours-form') };
  expect((await browser.form(`${path}/hours`, again)).status).toBe(303);
});

it('412: nothing is removed, deactivated or deleted of which a colleague has made something else meanwhile', async () => {
  const { browser, path } = await openSalon();
  await browser.form(`${path}/exceptions`, { date: MONDAY, kind: 'closed' });
  await browser.form(`${path}/time-off`, { first_day: MONDAY });
  const { page } = await browser.html(path);
  const [, timeOff = ''] = /time-off\/(\d+)\/delete/.exec(page) ?? [];
  const actions = [
    ...[`${path}/exceptions/${MONDAY}/delete`, `${path}/time-off/${timeOff}/delete`],
    ...[`${path}/deactivate`, `${path}/delete`],
  ];
  await browser.json('POST', path, { specialties: ['Colour'] });
  for (const action of actions) {
    const clash = await browser.form(action, { version: versionTo(page, action) });
    expect([action, clash.status]).toEqual([action, 412]);
    expect(clash.page).toContain('Somebody else has changed this meanwhile.');
  }
  for (const action of actions) {
    const version = versionTo((await browser.html(path)).page, action);
    expect([action, (await browser.form(action, { version })).status]).toEqual([action, 303]);
  }
});

it('412: who is activated again must be as they were seen', async () => {
  const { browser, path } = await openSalon();
  await browser.form(`${path}/deactivate`, {});
  const version = versionTo((await browser.html(path)).page, `${path}/activate`);
  await browser.json('POST', path, { specialties: ['Colour'] });
  expect((await browser.form(`${path}/activate`, { version })).status).toBe(412);
  expect((await browser.json('GET', path)).body.data.is_active).toBe(false);
});

it('a date with hours of its own, or none; changed and removed again', async () => {
  const { browser, path, slots } = await openSalon();
  await browser.form(`${path}/hours`, { ...FORM, monday_start: '09:00', monday_end: '17:00' });
  const date = { date: MONDAY, kind: 'hours', start: ['10:00', ''], end: ['11:00', ''], note: 'Course <b>' };
  const saved = await browser.form(`${path}/exceptions`, date);
  expect([saved.status, saved.headers.location]).toEqual([303, `${path}?done=exception-saved#exceptions`]);
  expect(await slots()).toEqual(['10:00']);
  const { page } = await browser.html(`${path}?date=${MONDAY}`);
  expect(page).toContain('Course &lt;b&gt;');
  expect(page).toContain('Change the date');
  expect((await browser.form(`${path}/exceptions`, { ...date, kind: 'closed' })).status).toBe(303);
  expect(await slots()).toEqual([]);
  expect((await browser.form(`${path}/exceptions/${MONDAY}/delete`, {})).status).toBe(303);
  expect(await slots()).toHaveLength(29);
  expect((await browser.form(`${path}/exceptions/${MONDAY}/delete`, {})).status).toBe(404);
});

it('422: a date without hours, or that does not exist', async () => {
  const { browser, path } = await openSalon();
  const none = await browser.form(`${path}/exceptions`, {
    date: MONDAY,
    kind: 'hours',
    start: '',
    end: '',
    note: 'Typed',
  });
  expect(none.status).toBe(422);
  expect(none.page).toContain('Enter the hours, or choose the whole day.');
  expect(none.page).toContain('value="Typed"');
  const wrong = await browser.form(`${path}/exceptions`, { date: '2031-02-30', kind: 'closed' });
  expect([
    wrong.status,
    wrong.page.includes('id="date-error">This field must be a date that exists.'),
  ]).toEqual([422, true]);
});

it('time off in whole days, both included, or from and until a time', async () => {
  const { browser, path, slots } = await openSalon();
  await browser.form(`${path}/hours`, { ...FORM, monday_start: '09:00', monday_end: '12:00' });
  const holiday = {
    first_day: '2031-05-30',
    last_day: MONDAY,
    first_time: '',
    last_time: '',
    note: 'Holiday',
  };
  const added = await browser.form(`${path}/time-off`, holiday);
  expect([added.status, added.headers.location]).toEqual([303, `${path}?done=time-off-added#time-off`]);
  expect(await slots()).toEqual([]);
  const { page } = await browser.html(path);
  expect(page).toMatch(/Fri, 30 May 2031<\/time> – <time datetime="2031-06-02">Mon, 2 Jun 2031/);
  const [, id = ''] = /time-off\/(\d+)\/delete/.exec(page) ?? [];
  expect((await browser.form(`${path}/time-off/${id}/delete`, {})).status).toBe(303);
  expect(await slots()).toHaveLength(9);

  await browser.form(`${path}/time-off`, {
    first_day: MONDAY,
    last_day: '',
    first_time: '10:00',
    last_time: '',
  });
  expect(await slots()).toEqual(['09:00']);
  const backwards = await browser.form(`${path}/time-off`, { ...holiday, last_day: '2031-05-01' });
  expect(backwards.status).toBe(422);
  expect(backwards.page).toContain('id="last_day-error">Time off must end after it begins.');
  expect(backwards.page).toContain('value="2031-05-30"');
});

it('the business’s own closing days hold for everybody; its own hours where there is no staff', async () => {
  const { browser, path, slots } = await openSalon();
  const own = `${BUSINESS}/opening-hours`;
  await browser.form(`${path}/hours`, { ...FORM, monday_start: '09:00', monday_end: '11:00' });
  expect((await browser.html(own)).page).toContain('each of them is booked in');
  expect(await slots()).toHaveLength(5);
  expect((await browser.form(`${own}/time-off`, { first_day: MONDAY })).status).toBe(303);
  expect(await slots()).toEqual([]);

  const alone = await world.signedIn();
  const service = await addService(alone.browser);
  const version = versionIn((await alone.browser.html(own)).page, 'hours-form');
  const hours = { ...FORM, monday_start: '09:00', monday_end: '10:30', version };
  expect((await alone.browser.form(`${own}/hours`, hours)).status).toBe(303);
  expect(await world.slotTimes(alone.tenantId, service)).toEqual(['09:00', '09:15', '09:30']);
});

it('422: without hours, and not from the form, nothing is deleted', async () => {
  const { browser, path } = await openSalon();
  await browser.form(`${path}/hours`, { ...FORM, monday_start: '09:00', monday_end: '12:00' });
  for (const body of [{}, { monday: [] }, { version: '' }]) {
    const refused = await browser.json('POST', `${path}/hours`, body);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['hours']]);
  }
  const { status, page } = await browser.form(`${path}/hours`, {});
  expect([status, page.includes('The hours field is required.')]).toEqual([422, true]);
  expect((await hoursOf(browser, path))[0]).toBe('09:00–12:00');
  // The form itself may be emptied.
  expect((await browser.form(`${path}/hours`, FORM)).status).toBe(303);
  expect((await hoursOf(browser, path)).join('')).toBe('');
});

it('programs send hours and time off as scheduling takes them', async () => {
  const { browser, path } = await openSalon();
  const hours = { monday: [{ start: '09:00', end: '12:00' }] };
  const saved = await browser.json('POST', `${path}/hours`, { hours });
  expect([saved.status, saved.body.data.hours.monday]).toEqual([200, hours.monday]);
  const timeOff = { start: '2031-06-02T00:00', end: '2031-06-03T00:00' };
  const added = await browser.json('POST', `${path}/time-off`, timeOff);
  expect([added.status, added.body.data]).toMatchObject([201, { ...timeOff, note: null }]);
  const refused = await browser.json('POST', `${path}/hours`, {
    hours: { monday: [{ start: '9', end: '1' }] },
  });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([
    422,
    ['hours.monday.0.start', 'hours.monday.0.end'],
  ]);
});

it('writes down who changed which calendar', async () => {
  const { browser, path } = await openSalon();
  await browser.form(`${path}/hours`, { ...FORM, monday_start: '09:00', monday_end: '12:00' });
  await browser.form(`${path}/exceptions`, { date: MONDAY, kind: 'closed' });
  const { page } = await browser.html('/settings/audit');
  expect(page).toMatch(/Changed weekly hours<br><span class="hint">Anna</);
  expect(page).toMatch(/Set other hours on a date<br><span class="hint">Anna, 2031-06-02</);
});
