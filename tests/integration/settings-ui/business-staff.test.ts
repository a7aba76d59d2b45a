import {
  type BusinessWorld,
  HOURS_FORM,
  MONDAY,
  openSalon,
  STAFF,
  startBusinessWorld,
  versionIn,
  versionTo,
} from './business-world.ts';

let world: BusinessWorld;
beforeAll(async () => {
  world = await startBusinessWorld();
});
afterAll(() => world.stop());

it('adds a member of staff, edits, deactivates, activates and deletes them', async () => {
  const { browser, path, serviceId } = await openSalon(world);
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

it('lists staff with their weekly hours, and asks for no calendar with its dates to do so', async () => {
  const { browser, path, tenantId } = await openSalon(world);
  await browser.form(`${path}/hours`, { ...HOURS_FORM, monday_start: '09:00', monday_end: '12:00' });
  await browser.form(`${path}/exceptions`, { date: MONDAY, kind: 'closed' });
  const asked = await world.askedOfScheduling(async () => {
    const { page } = await browser.html(STAFF);
    expect(page).toContain('Mon 09:00–12:00');
  });
  const own = `GET /internal/tenants/${tenantId}`;
  expect(asked.toSorted()).toEqual([`${own}/services`, `${own}/staff`, `${own}/staff-hours`]);
});

it('412: nothing is removed, deactivated or deleted of which a colleague has made something else meanwhile', async () => {
  const { browser, path } = await openSalon(world);
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
  const { browser, path } = await openSalon(world);
  await browser.form(`${path}/deactivate`, {});
  const version = versionTo((await browser.html(path)).page, `${path}/activate`);
  await browser.json('POST', path, { specialties: ['Colour'] });
  expect((await browser.form(`${path}/activate`, { version })).status).toBe(412);
  expect((await browser.json('GET', path)).body.data.is_active).toBe(false);
});

it('writes down who changed which calendar', async () => {
  const { browser, path } = await openSalon(world);
  await browser.form(`${path}/hours`, { ...HOURS_FORM, monday_start: '09:00', monday_end: '12:00' });
  await browser.form(`${path}/exceptions`, { date: MONDAY, kind: 'closed' });
  const { page } = await browser.html('/settings/audit');
  expect(page).toMatch(/Changed weekly hours<br><span class="hint">Anna</);
  expect(page).toMatch(/Set other hours on a date<br><span class="hint">Anna, 2031-06-02</);
});
