import { BUSINESS, type BusinessWorld, startBusinessWorld, versionIn } from '../business-world.ts';

let world: BusinessWorld;
beforeAll(async () => {
  world = await startBusinessWorld();
});
afterAll(() => world.stop());

const RULES = {
  booking_policy: 'slots_only',
  slot_step_minutes: '30',
  minimum_notice_minutes: '2',
  notice_unit: 'hours',
  horizon_days: '60',
};

it('an admin changes the name; page, JSON and audit log show it', async () => {
  const { browser } = await world.signedIn();
  const before = await browser.html(BUSINESS);
  const saved = await browser.form(`${BUSINESS}/profile`, {
    name: ' Salon Lisboa ',
    version: versionIn(before.page, 'profile-form'),
  });
  expect([saved.status, saved.headers.location]).toEqual([303, `${BUSINESS}?done=profile-saved`]);
  expect((await browser.html(BUSINESS)).page).toContain('value="Salon Lisboa"');
  expect((await browser.json('GET', BUSINESS)).body.data.profile.name).toBe('Salon Lisboa');
  expect((await browser.html('/settings/audit')).page).toMatch(
    /Changed the business’s profile<br><span class="hint">Salon Lisboa/,
  );
});

it('plan, status, currency and country are not an admin’s to change', async () => {
  const { browser } = await world.signedIn();
  const before = (await browser.json('GET', BUSINESS)).body.data.profile;
  const wishes = { name: before.name, plan: 'starter', status: 'suspended', currency: 'JPY', country: 'JP' };
  const { status, body } = await browser.json('POST', `${BUSINESS}/profile`, wishes);
  expect([status, body.data]).toEqual([200, before]);
});

it('says what a change of the time zone does, asks, and takes only zones that there are', async () => {
  const { browser } = await world.signedIn();
  const { page } = await browser.html(BUSINESS);
  expect(page).toContain('Booked appointments keep their moment in time');
  const changed = await browser.form(`${BUSINESS}/timezone`, {
    timezone: 'Europe/Lisbon',
    version: versionIn(page, 'profile-form'),
  });
  expect(changed.status).toBe(303);
  expect((await browser.json('GET', BUSINESS)).body.data.profile.timezone).toBe('Europe/Lisbon');
  const refused = await browser.form(`${BUSINESS}/timezone`, { timezone: 'Mars/Olympus' });
  expect(refused.status).toBe(422);
  expect(refused.page).toContain('Choose a time zone from the list');
});

it('booking rules: a form states the notice in hours, and no horizon by leaving it empty', async () => {
  const { browser } = await world.signedIn();
  expect((await browser.form(`${BUSINESS}/booking`, RULES)).status).toBe(303);
  const rules = async () => (await browser.json('GET', BUSINESS)).body.data.booking_settings;
  expect(await rules()).toEqual({
    booking_policy: 'slots_only',
    slot_step_minutes: 30,
    minimum_notice_minutes: 120,
    horizon_days: 60,
  });
  expect((await browser.form(`${BUSINESS}/booking`, { ...RULES, horizon_days: '' })).status).toBe(303);
  expect((await rules()).horizon_days).toBeNull();
  const { page } = await browser.html(BUSINESS);
  expect(page).toMatch(/name="minimum_notice_minutes"[^>]* value="2"/);
  expect(page).toContain('<option value="hours" selected>');
});

it('422: says beside the field what is wrong, and keeps all that was typed', async () => {
  const { browser } = await world.signedIn();
  const { status, page } = await browser.form(`${BUSINESS}/booking`, {
    ...RULES,
    minimum_notice_minutes: '-3',
    horizon_days: 'soon',
  });
  expect(status).toBe(422);
  expect(page).toContain('id="minimum_notice_minutes-error">Enter 0 or more.');
  expect(page).toContain('id="horizon_days-error">Enter a whole number.');
  expect(page).toMatch(/name="horizon_days"[^>]* value="soon"/);
  expect(page).toContain('value="slots_only" checked');
});

it('412: of two admins at once the later one keeps what was typed, and may insist', async () => {
  const { browser, tenantId } = await world.signedIn();
  const colleague = (await world.signedIn(tenantId)).browser;
  const version = versionIn((await browser.html(BUSINESS)).page, 'profile-form');
  expect((await colleague.form(`${BUSINESS}/profile`, { name: 'Theirs', version })).status).toBe(303);

  const clash = await browser.form(`${BUSINESS}/profile`, { name: 'Mine', version });
  expect(clash.status).toBe(412);
  expect(clash.page).toContain('Someone else has changed this in the meantime');
  expect(clash.page).toContain('value="Mine"');
  expect((await browser.json('GET', BUSINESS)).body.data.profile.name).toBe('Theirs');

  const latest = versionIn(clash.page, 'profile-form');
  expect((await browser.form(`${BUSINESS}/profile`, { name: 'Mine', version: latest })).status).toBe(303);
});

it('a version that no record can have is a clash too, and takes nothing from others', async () => {
  const { browser } = await world.signedIn();
  // More than there are connections between two services.
  for (const version of ['中', '\0', '"1"\r\nx: y', '…', 'é', '"1"\u2028', '￼', '🙂', 'ﬁ']) {
    const { status, body } = await browser.json('POST', `${BUSINESS}/profile`, { name: 'Mine', version });
    expect([version, status, body.code]).toEqual([version, 412, 'precondition_failed']);
  }
  expect((await browser.form(`${BUSINESS}/profile`, { name: 'Mine' })).status).toBe(303);
});

it('a clash leaves every field as it was typed, those of two parts too', async () => {
  const { browser, tenantId } = await world.signedIn();
  const colleague = (await world.signedIn(tenantId)).browser;
  const version = versionIn((await browser.html(BUSINESS)).page, 'booking-form');
  expect((await colleague.form(`${BUSINESS}/booking`, { ...RULES, horizon_days: '7' })).status).toBe(303);
  const { status, page } = await browser.form(`${BUSINESS}/booking`, { ...RULES, version });
  expect(status).toBe(412);
  expect(page).toMatch(/name="minimum_notice_minutes"[^>]* value="2"/);
  expect(page).toContain('<option value="hours" selected>');
  expect(page).toMatch(/name="horizon_days"[^>]* value="60"/);
});

it('a form that is refused for another reason keeps the version it was shown with', async () => {
  const { browser, tenantId } = await world.signedIn();
  const colleague = (await world.signedIn(tenantId)).browser;
  const version = versionIn((await browser.html(BUSINESS)).page, 'booking-form');
  expect((await colleague.form(`${BUSINESS}/booking`, RULES)).status).toBe(303);
  const refused = await browser.form(`${BUSINESS}/booking`, { ...RULES, horizon_days: '0', version });
  expect([refused.status, versionIn(refused.page, 'booking-form')]).toEqual([422, version]);
});

it('403 without the session’s token, and nothing is changed', async () => {
  const { browser } = await world.signedIn();
  const { status } = await browser.form(`${BUSINESS}/booking`, { ...RULES, _csrf: 'forged' });
  expect(status).toBe(403);
  expect((await browser.json('GET', BUSINESS)).body.data.booking_settings.booking_policy).toBe('open');
});
