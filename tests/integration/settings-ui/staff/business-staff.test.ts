import {
  BUSINESS,
  type BusinessWorld,
  HOURS_FORM,
  MONDAY,
  openSalon,
  STAFF,
  startBusinessWorld,
  versionIn,
  versionTo,
} from '../business-world.ts';

let world: BusinessWorld;
beforeAll(async () => {
  world = await startBusinessWorld();
});
afterAll(() => world.stop());

it('adds a staff member, edits, deactivates, activates and deletes them', async () => {
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
  expect(added.headers.location).toBe(`${STAFF}/${body.data[1].id}?done=staff-added-following`);

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

it('who changes no staff reads hours, dates and services; the desk alone adds time off', async () => {
  const { browser, path, tenantId } = await openSalon(world);
  await browser.form(`${path}/exceptions`, { date: MONDAY, kind: 'closed' });
  const pages = new Map<string, string>();
  for (const role of ['receptionist', 'viewer'] as const) {
    const { browser: reader } = await world.signedIn(tenantId, role);
    const { page } = await reader.html(path);
    expect(page).toMatch(/<dt>Performs<\/dt><dd>Haircut<\/dd>/);
    expect(page).not.toMatch(/Change<|Add a date|Enter different hours|id="picture"|id="end"|Save/);
    pages.set(role, page);
    const list = (await reader.html(STAFF)).page;
    expect(list).toContain(`href="${path}"`);
    expect(list).not.toMatch(/Edit|\/new/);
  }
  expect(pages.get('receptionist')).toContain(`action="${path}/time-off"`);
  expect(pages.get('viewer')).not.toMatch(/Add time off|action="\/settings\/business/);
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
  const lists = ['bookability', 'services', 'staff', 'staff-hours'];
  expect(asked.toSorted()).toEqual(lists.map((list) => `${own}/${list}`));
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
    expect(clash.page).toContain('Someone else has changed this in the meantime.');
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

it('follows the business’s hours from the first; own hours, once saved, until set to follow again', async () => {
  const { browser, path, slots, tenantId } = await openSalon(world);
  const own = `${BUSINESS}/opening-hours`;
  await browser.form(`${own}/hours`, { ...HOURS_FORM, monday_start: '09:00', monday_end: '10:00' });
  expect(await slots()).toEqual(['09:00']);
  expect((await browser.html(own)).page).toContain('All your staff work these hours.');
  const followed = await browser.html(path);
  expect(followed.page).toContain('name="monday_start" value="09:00"');
  expect((await browser.html(STAFF)).page).toContain(
    'Mon 09:00–10:00</span></p><p>Follows the business’s hours',
  );

  await browser.form(`${path}/hours`, { ...HOURS_FORM, monday_start: '14:00', monday_end: '15:00' });
  expect(await slots()).toEqual(['14:00']);
  const action = `${path}/follow-hours`;
  const version = versionTo((await browser.html(path)).page, action);
  await browser.json('POST', path, { specialties: ['Colour'] });
  expect((await browser.form(action, { version })).status).toBe(412);
  expect(await slots()).toEqual(['14:00']);
  const again = { version: versionTo((await browser.html(path)).page, action) };
  expect((await browser.form(action, again)).headers.location).toBe(`${path}?done=hours-followed`);
  expect(await slots()).toEqual(['09:00']);
  const other = await openSalon(world);
  expect(other.tenantId).not.toBe(tenantId);
  expect((await other.browser.form(action, {})).status).toBe(404);
});

it('is added with hours of their own where the form says so, and then can’t be booked yet', async () => {
  const { browser, serviceId } = await openSalon(world);
  const fields = { name: 'Ben', has_services: '1', service_ids: String(serviceId) };
  const added = await browser.form(`${STAFF}/new`, { ...fields, follows_business_hours: 'false' });
  expect(added.headers.location).toMatch(/done=staff-added$/);
  const { page } = await browser.html(`${added.headers.location}`);
  expect(page).toContain('No hours yet, so nobody can book Ben.');
  expect(page).toMatch(/Not bookable.*Has no working hours\..*#hours/s);
});

it('422: a service that was deleted while the form was filled in is named in words', async () => {
  const { browser } = await openSalon(world);
  const fields = { name: 'Ben', has_services: '1', service_ids: '999999999' };
  const { status, page } = await browser.form(`${STAFF}/new`, fields);
  expect([status, page.includes('service_ids field')]).toEqual([422, false]);
  expect(page).toContain('One of these services was deleted meanwhile. Check them and save again.');
});

it('writes down who changed which calendar', async () => {
  const { browser, path } = await openSalon(world);
  await browser.form(`${path}/hours`, { ...HOURS_FORM, monday_start: '09:00', monday_end: '12:00' });
  await browser.form(`${path}/exceptions`, { date: MONDAY, kind: 'closed' });
  const { page } = await browser.html('/settings/audit');
  expect(page).toMatch(/Changed weekly hours<br><span class="hint">Anna</);
  expect(page).toMatch(
    /Set special hours<br><span class="hint">Anna, <time datetime="2031-06-02">Mon, 2 Jun 2031</,
  );
});
