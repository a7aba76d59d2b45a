import {
  type BusinessWorld,
  HOURS_FORM,
  openSalon,
  STAFF,
  startBusinessWorld,
  versionIn,
} from '../business-world.ts';
import { choicesOf } from '../form-fields.ts';
import type { Browser } from '../inject-browser.ts';

let world: BusinessWorld;
beforeAll(async () => {
  world = await startBusinessWorld();
});
afterAll(() => world.stop());

const hoursOf = async (browser: Browser, path: string) => {
  const { page } = await browser.html(path);
  return [...page.matchAll(/<span class="spans">([\d:–, ]*)/g)].map(([, text]) => text);
};

it('hours that are entered are what customers are offered, breaks and all', async () => {
  const { browser, path, slots } = await openSalon(world);
  const empty = await browser.html(path);
  expect(empty.page).toContain('The business has no opening hours yet, so nobody can book Anna.');
  expect(await slots()).toEqual([]);
  const saved = await browser.form(`${path}/hours`, {
    ...HOURS_FORM,
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
  const { browser, path } = await openSalon(world);
  await browser.form(`${path}/hours`, { ...HOURS_FORM, friday_start: '20:00', friday_end: '00:00' });
  expect((await hoursOf(browser, path))[4]).toBe('20:00–24:00');
  expect((await browser.html(path)).page).toMatch(/name="friday_end" value="00:00"/);
});

it.each([
  ['overlap', { monday_start: ['09:00', '11:00'], monday_end: ['12:00', '13:00'] }, 'These hours overlap.'],
  [
    'end before they start',
    { monday_start: '20:00', monday_end: '02:00' },
    'The end must be after the start.',
  ],
  ['have no end', { monday_start: '09:00', monday_end: '' }, 'Enter both times, or clear both.'],
  ['are no times', { monday_start: 'nine', monday_end: 'x' }, 'Enter a time such as 14:00 or 2:00 PM.'],
])('422: hours that %s; what was typed stays', async (_case, fields, message) => {
  const { browser, path } = await openSalon(world);
  const { status, page } = await browser.form(`${path}/hours`, {
    ...HOURS_FORM,
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
  const { browser, path } = await openSalon(world);
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

it('412: hours that a colleague changed meanwhile are not overwritten; people choose', async () => {
  const { browser, path } = await openSalon(world);
  const version = versionIn((await browser.html(path)).page, 'hours-form');
  await browser.form(`${path}/hours`, { ...HOURS_FORM, monday_start: '10:00', monday_end: '11:00', version });
  const mine = { ...HOURS_FORM, monday_start: '12:00', monday_end: '13:00' };
  const clash = await browser.form(`${path}/hours`, { ...mine, version });
  expect(clash.status).toBe(412);
  expect(clash.page).toContain('Someone else has changed this in the meantime');
  expect(choicesOf(clash.page, 'monday_chosen')).toEqual(['12:00-13:00', '10:00-11:00']);
  expect((await hoursOf(browser, path))[0]).toBe('10:00–11:00');
  const again = { ...mine, version: versionIn(clash.page, 'hours-form') };
  expect((await browser.form(`${path}/hours`, again)).status).toBe(303);
});

it('422: without hours, and not from the form, nothing is deleted', async () => {
  const { browser, path } = await openSalon(world);
  await browser.form(`${path}/hours`, { ...HOURS_FORM, monday_start: '09:00', monday_end: '12:00' });
  for (const body of [{}, { monday: [] }, { version: '' }]) {
    const refused = await browser.json('POST', `${path}/hours`, body);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['hours']]);
  }
  const { status, page } = await browser.form(`${path}/hours`, {});
  expect([status, page.includes('Hours: This field is required.')]).toEqual([422, true]);
  expect((await hoursOf(browser, path))[0]).toBe('09:00–12:00');
  // The form itself may be emptied.
  expect((await browser.form(`${path}/hours`, HOURS_FORM)).status).toBe(303);
  expect((await hoursOf(browser, path)).join('')).toBe('');
});

it('programs send hours and time off as scheduling takes them', async () => {
  const { browser, path } = await openSalon(world);
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
