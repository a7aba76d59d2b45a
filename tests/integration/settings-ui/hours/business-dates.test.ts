import {
  addService,
  BUSINESS,
  type BusinessWorld,
  HOURS_FORM,
  MONDAY,
  openSalon,
  startBusinessWorld,
  versionIn,
} from '../business-world.ts';

let world: BusinessWorld;
beforeAll(async () => {
  world = await startBusinessWorld();
});
afterAll(() => world.stop());

it('a date with hours of its own, or none; changed and removed again', async () => {
  const { browser, path, slots } = await openSalon(world);
  await browser.form(`${path}/hours`, { ...HOURS_FORM, monday_start: '09:00', monday_end: '17:00' });
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
  const { browser, path } = await openSalon(world);
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
  expect([wrong.status, wrong.page.includes('id="date-error">Enter a date that exists.')]).toEqual([
    422,
    true,
  ]);
});

it('422: a date or days that are over, beside the day that was entered', async () => {
  const { browser, path } = await openSalon(world);
  const past = await browser.form(`${path}/exceptions`, {
    date: '2020-01-06',
    kind: 'closed',
    note: 'Typed',
  });
  expect([past.status, past.page.includes('id="date-error">This date is in the past.')]).toEqual([422, true]);
  expect(past.page).toContain('value="Typed"');
  for (const [last_day, field] of [
    ['', 'first_day'],
    ['2020-01-08', 'last_day'],
  ] as const) {
    const away = await browser.form(`${path}/time-off`, { first_day: '2020-01-06', last_day });
    expect([away.status, away.page.includes(`id="${field}-error">These days are in the past.`)]).toEqual([
      422,
      true,
    ]);
  }
  const closing = { start: '2020-01-06T00:00', end: '2020-01-07T00:00' };
  const { status, body } = await browser.json('POST', `${BUSINESS}/opening-hours/time-off`, closing);
  expect([status, Object.keys(body.errors)]).toEqual([422, ['end']]);
});

it('time off in whole days, both included, or from and until a time', async () => {
  const { browser, path, slots } = await openSalon(world);
  await browser.form(`${path}/hours`, { ...HOURS_FORM, monday_start: '09:00', monday_end: '12:00' });
  const holiday = {
    first_day: '2031-05-30',
    last_day: MONDAY,
    first_time: '',
    last_time: '',
    note: 'Holiday',
  };
  const added = await browser.form(`${path}/time-off`, holiday);
  expect([added.status, added.headers.location]).toEqual([
    303,
    expect.stringMatching(/\?done=time-off-added:\d+#time-off$/),
  ]);
  const [to = ''] = String(added.headers.location).split('#');
  const removal =
    /class="notice good toast"[^>]*><span>Time off added\.<\/span><form method="post" action="([^"]+)"/.exec(
      (await browser.html(to)).page,
    );
  expect(removal?.[1]).toMatch(new RegExp(`^${path}/time-off/\\d+/delete$`));
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
  const noTimes = await browser.form(`${path}/time-off`, { ...holiday, first_time: '\0', last_time: 'noon' });
  expect(noTimes.status).toBe(422);
  expect(noTimes.page).toContain('id="first_time-error">Enter a time such as 14:00 or 2:00 PM.');
  expect(noTimes.page).toContain('id="last_time-error">Enter a time such as 14:00 or 2:00 PM.');
});

it('time off that is sent again with the same token is added once', async () => {
  const { browser, path } = await openSalon(world);
  const add = async (form_token: string) => {
    const away = { start: `${MONDAY}T12:00`, end: `${MONDAY}T13:00`, form_token };
    const { status, body } = await browser.json('POST', `${path}/time-off`, away);
    expect(status).toBe(201);
    return body.data.id;
  };
  const [first, again, other] = [await add('one'), await add('one'), await add('other')];
  expect([again === first, other === first]).toEqual([true, false]);
});

it('the business’s own closing days hold for everybody; its own hours where there is no staff', async () => {
  const { browser, path, slots } = await openSalon(world);
  const own = `${BUSINESS}/opening-hours`;
  await browser.form(`${path}/hours`, { ...HOURS_FORM, monday_start: '09:00', monday_end: '11:00' });
  expect((await browser.html(own)).page).toContain('Nobody works these hours: all your staff have');
  expect(await slots()).toHaveLength(5);
  expect((await browser.form(`${own}/time-off`, { first_day: MONDAY })).status).toBe(303);
  expect(await slots()).toEqual([]);

  const alone = await world.signedIn();
  const service = await addService(alone.browser);
  const version = versionIn((await alone.browser.html(own)).page, 'hours-form');
  const hours = { ...HOURS_FORM, monday_start: '09:00', monday_end: '10:30', version };
  expect((await alone.browser.form(`${own}/hours`, hours)).status).toBe(303);
  expect(await world.slotTimes(alone.tenantId, service)).toEqual(['09:00', '09:15', '09:30']);
});
