import { STAFF_COLORS } from '@frontdesk/contracts';
import { HOUR_PIXELS } from '../../../../services/settings-ui/src/booking/day-plot.rules.ts';
import { bookingAddress } from '../../../../services/settings-ui/src/records/booking-query.rules.ts';
import { eventually } from '../../../support/index.ts';
import { operator } from '../../gateway/gateway-world.ts';
import { MONDAY } from '../../scheduling/salon.ts';
import { startCalendarWorld } from '../calendar-world.ts';

let world: Awaited<ReturnType<typeof startCalendarWorld>>;
beforeAll(async () => {
  world = await startCalendarWorld();
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => world.stop());

const CALENDAR = `/settings/calendar?date=${MONDAY}`;

/** As it stands in a page. */
const bookingOn = (query: Parameters<typeof bookingAddress>[0]) =>
  bookingAddress(query).replaceAll('&', '&amp;');

describe('the day', () => {
  it('shows everybody with hours and breaks, and what is booked with names, as a plan and as a list', async () => {
    const salon = await world.newSalon();
    const id = await salon.booked();
    const { status, page } = await salon.browser.html(CALENDAR);
    expect(status).toBe(200);
    expect(page).toContain('Monday, 2 June 2031');
    expect(page).toContain('1 appointment.');
    expect(page).toContain('Times are in Europe/Berlin');
    expect(page.match(/09:00–12:00, 13:00–17:00/g)).toHaveLength(4);
    expect(page.match(/>Break</g)).toHaveLength(2);
    const link = `<a class="entry" href="/settings/calendar/appointments/${id}">`;
    expect(page).toMatch(
      new RegExp(
        `href="/settings/calendar/appointments/${id}" class="appointment scheduled"[^>]*><title>10:00 Mia Wong, Haircut, until 11:00, Scheduled</title>`,
      ),
    );
    const [, entry = ''] = page.split(link);
    expect(entry.slice(0, entry.indexOf('</li>'))).toMatch(
      /^\s*<span class="time">10:00–11:00<\/span>\s*<strong>Mia Wong<\/strong> <span class="what">Haircut<\/span><\/a>\s*<a class="phone" href="tel:\+4930901820">030 901820<\/a>/,
    );
    expect(page).toContain('No appointments.');
    expect(page).not.toMatch(/\sstyle=|<style/);
  });

  it('draws each person in a colour: their own, or one that goes by their id', async () => {
    const salon = await world.newSalon();
    const [anna = 0, ben = 0] = salon.staffIds;
    await salon.booked();
    await salon.browser.json('POST', `/settings/business/staff/${ben}`, { color: 'brown' });
    const colors = [STAFF_COLORS[anna % STAFF_COLORS.length], 'brown'];
    const { page } = await salon.browser.html(CALENDAR);
    const ofColumns = [...page.matchAll(/<svg class="plan-column"[^>]* data-color="(\w+)"/g)];
    const ofLists = [...page.matchAll(/<section aria-labelledby="a\d+-name" data-color="(\w+)"/g)];
    const ofHeads = [
      ...page.matchAll(
        /<div class="plan-head"><strong><span class="named"><span class="face" data-color="(\w+)"/g,
      ),
    ];
    for (const found of [ofColumns, ofLists, ofHeads])
      expect(found.map(([, color]) => color)).toEqual(colors);
    const week = (await salon.browser.html(`/settings/calendar/week?date=${MONDAY}`)).page;
    expect([...week.matchAll(/<tr data-color="(\w+)"/g)].map(([, color]) => color)).toEqual(colors);
    const own = (await salon.browser.html(`/settings/calendar/week?date=${MONDAY}&staff_id=${ben}`)).page;
    expect(own.match(/<svg class="plan-column"[^>]* data-color="brown"/g)).toHaveLength(7);
  });

  it('marks what has a note, and lists how the note begins', async () => {
    const salon = await world.newSalon();
    const notes = `Allergic to <nuts>.\n${'Very. '.repeat(60)}`;
    await salon.booked({ notes });
    await salon.booked({ appointment_time: '14:00' });
    const { page } = await salon.browser.html(CALENDAR);
    expect(page).toContain('<title>10:00 Mia Wong, Haircut, until 11:00, Scheduled, with a note</title>');
    expect(page).toContain('<title>14:00 Mia Wong, Haircut, until 15:00, Scheduled</title>');
    expect(page.match(/class="note-mark"/g)).toHaveLength(1);
    expect(page).toMatch(/<p class="note">Allergic to &lt;nuts&gt;\.\n(Very\. )+Ve?…<\/p>/);
    const week = (await salon.browser.html(`/settings/calendar/week?date=${MONDAY}`)).page;
    expect(week.match(/class="note-mark"/g)).toHaveLength(1);
  });

  it('lists what is free, and leads to the other days of its week', async () => {
    const salon = await world.newSalon();
    await salon.booked();
    const { page } = await salon.browser.html(`${CALENDAR}&cancelled=1`);
    const free = page.matchAll(
      /class="open"><a class="entry" href="([^"]+)">\s*<span class="time">([^<]+)</g,
    );
    const [anna] = salon.staffIds;
    expect(
      Array.from(free, ([, href = '', time]) => [
        time,
        new URL(href.replaceAll('&amp;', '&'), 'http://x').searchParams,
      ])
        .filter(([, query]) => (query as URLSearchParams).get('staff_id') === String(anna))
        .map(([time, query]) => [time, (query as URLSearchParams).get('time')]),
    ).toEqual([
      ['09:00–10:00', '09:00'],
      ['11:15–12:00', '11:15'],
      ['13:00–17:00', '13:00'],
    ]);
    const [, strip = ''] = /class="week-strip">(.*?)<\/nav>/s.exec(page) ?? [];
    const days = Array.from(strip.matchAll(/href="\/settings\/calendar\?date=([\d-]+)&amp;cancelled=1"/g));
    // The last one is the arrow to the next day.
    expect(days.slice(0, 7).map(([, date]) => date)).toEqual(
      [2, 3, 4, 5, 6, 7, 8].map((day) => `2031-06-0${day}`),
    );
    expect(strip).toContain(`date=${MONDAY}&amp;cancelled=1" aria-current="page"`);
    expect((await salon.browser.html('/settings/calendar?date=2999-12-31')).page).toContain('week-strip');
  });

  it('begins at the first opening hour, and has what is earlier above it', async () => {
    const salon = await world.newSalon();
    expect((await salon.browser.html(CALENDAR)).page).not.toContain('data-first');
    await salon.booked({ appointment_time: '06:30' });
    const { page } = await salon.browser.html(CALENDAR);
    expect(page).toContain(` data-first="${3 * HOUR_PIXELS}"`);
    expect(page).toContain('06:30 Mia Wong, Haircut');
  });

  it('draws time by its length: an hour of work from its hour on, the buffer after it', async () => {
    const salon = await world.newSalon();
    await salon.booked();
    const { page } = await salon.browser.html(CALENDAR);
    const [, hour] = /class="open" x="0" y="0" width="100%" height="(\d+)"/.exec(page) ?? [];
    const pixels = Number(hour) / 3;
    expect(page).toContain(`<svg x="1%" y="${pixels}" width="98%" height="${pixels}"`);
    expect(page).toContain(`class="buffer" x="0" y="${2 * pixels}" width="100%" height="${pixels / 4}"`);
  });

  it('leaves out what was cancelled, unless it is asked for', async () => {
    const salon = await world.newSalon();
    await salon.cancel(await salon.booked());
    const without = (await salon.browser.html(CALENDAR)).page;
    expect(without).toContain('0 appointments.');
    expect(without).toContain(`<a href="${CALENDAR}&amp;cancelled=1">Show 1 cancelled</a>`);
    expect(without).not.toContain('Mia Wong');
    const { page } = await salon.browser.html(`${CALENDAR}&cancelled=1`);
    expect(page).toContain(
      'class="appointment cancelled"><title>10:00 Mia Wong, Haircut, until 11:00, Cancelled</title>',
    );
    expect(page).toContain('Hide 1 cancelled');
    expect(page).toContain('/settings/calendar?date=2031-06-03&amp;cancelled=1');
  });

  it('says that nobody works, why, and where the hours are', async () => {
    const closed = { exceptions: [{ date: MONDAY, hours: [], note: 'Whit Monday' }] };
    const salon = await world.newSalon(closed);
    const empty = (await salon.browser.html(CALENDAR)).page;
    expect(empty).toContain('Nobody works on this day (Whit Monday), and nothing is booked.');
    expect(empty).toContain('<a href="/settings/business/opening-hours">Check the hours</a>');
    await salon.booked();
    const booked = (await salon.browser.html(CALENDAR)).page;
    expect(booked).toContain('Nobody works on this day (Whit Monday), yet it has appointments.');
    expect(booked).toContain('Mia Wong');
  });

  it('shows time off with its note, and why the hours are others', async () => {
    const salon = await world.newSalon({
      time_off: [{ start: `${MONDAY}T15:00`, end: `${MONDAY}T17:00`, note: 'Works outing' }],
      exceptions: [{ date: MONDAY, hours: [{ start: '10:00', end: '16:00' }], note: 'Inventory' }],
    });
    const { page } = await salon.browser.html(CALENDAR);
    expect(page).toContain('10:00–12:00, 13:00–15:00 (Works outing, Inventory)');
    expect(page).toMatch(/class="away".*\n?.*Works outing/);
    // It is the whole business's: there it can be removed.
    expect(
      page.match(/class="time-off"[^>]* href="\/settings\/business\/opening-hours#time-off"/g),
    ).toHaveLength(2);
  });

  it('has time off of one, which leads to where it is removed; with what a script asks and sends', async () => {
    const salon = await world.newSalon();
    const [anna, ben] = salon.staffIds;
    const path = `/settings/business/staff/${ben}/time-off`;
    const added = await salon.browser.json('POST', path, {
      first_day: MONDAY,
      first_time: '9:30',
      last_day: MONDAY,
      last_time: '24:00',
      note: 'Dentist "early"',
    });
    expect([added.status, added.body.data]).toMatchObject([
      201,
      { start: `${MONDAY}T09:30`, end: '2031-06-03T00:00' },
    ]);
    const { page } = await salon.browser.html(CALENDAR);
    const [link = ''] = /<a class="time-off"[^>]*>/.exec(page) ?? [];
    for (const part of [
      `href="/settings/business/staff/${ben}#time-off"`,
      `data-off="${path}"`,
      `data-entry="${added.body.data.id}"`,
      `data-start="${MONDAY}T09:30"`,
      'data-end="2031-06-03T00:00"',
      'data-when="Mon, 2 Jun 2031, 09:30–24:00"',
      'data-note="Dentist &quot;early&quot;"',
      'data-who="Ben"',
    ])
      expect(link).toContain(part);
    expect(page).toContain(`<title>Time off 09:30–24:00, Dentist &quot;early&quot;</title>`);
    expect(page).toMatch(/<li id="[^"]+" class="away"><a class="entry"[^>]*\sdata-entry=/);
    expect(page).toContain(`href="/settings/business/staff/${anna}#time-off" title="Block time"`);
    expect(page).toContain('Block time of Anna');
    const removed = await salon.browser.json('POST', `${path}/${added.body.data.id}/delete`, {});
    expect(removed.status).toBe(200);
    expect((await salon.browser.html(CALENDAR)).page).not.toContain('class="time-off"');
  });

  it('keeps the column of somebody whose hours are all blocked, so that they can be freed again', async () => {
    const salon = await world.newSalon();
    for (const id of salon.staffIds)
      await salon.browser.json('POST', `/settings/business/staff/${id}/time-off`, {
        start: `${MONDAY}T09:00`,
        end: `${MONDAY}T17:00`,
      });
    const { page } = await salon.browser.html(CALENDAR);
    expect(page.match(/class="plan-head"/g)).toHaveLength(2);
    expect(page.match(/class="time-off"/g)).toHaveLength(2);
  });

  it('has no column for who is away, but says who and why', async () => {
    const salon = await world.newSalon();
    const away = [{ start: `${MONDAY}T00:00`, end: '2031-06-04T00:00', note: 'Course' }];
    await world.scheduling.importBusiness(salon.tenantId, {
      staff: [{ name: 'Ben', services: ['Haircut'], time_off: away }],
    });
    const { page } = await salon.browser.html(CALENDAR);
    expect(page.match(/class="plan-head"/g)).toHaveLength(1);
    expect(page).toMatch(
      /Not working: <a href="\/settings\/business\/staff\/\d+#time-off"[^>]*>Ben<\/a> \(Course\)\./,
    );
  });

  it.each([
    ['2031-03-30', 'it has 23 hours', '03:00'],
    ['2031-10-26', 'it has 25 hours', '+01:00'],
  ])('of a clock change: %s', async (date, words, label) => {
    const night = [{ start: '00:00', end: '24:00' }];
    const salon = await world.newSalon({ exceptions: [{ date, hours: night, note: null }] });
    await salon.booked({ appointment_date: date, appointment_time: '04:00' });
    for (const name of ['Anna', 'Ben']) {
      await world.scheduling.importBusiness(salon.tenantId, {
        staff: [{ name, services: ['Haircut'], exceptions: [{ date, hours: night, note: null }] }],
      });
    }
    const { page } = await salon.browser.html(`/settings/calendar?date=${date}`);
    expect(page).toContain(words);
    expect(page).toContain(`>${label}</text>`);
    expect(page.includes('>02:00</text>')).toBe(date === '2031-10-26');
  });

  it('that a zone left out differs from one without work', async () => {
    const salon = await world.newSalon({ timezone: 'Pacific/Apia' });
    const { page } = await salon.browser.html('/settings/calendar?date=2011-12-30');
    expect(page).toContain('This day did not exist in Pacific/Apia');
  });

  it('is today where none is named; today has the time, and others do not', async () => {
    const salon = await world.newSalon({ timezone: 'Pacific/Kiritimati' });
    const now = Temporal.Now.zonedDateTimeISO('Pacific/Kiritimati');
    jest.spyOn(Date, 'now').mockReturnValue(now.epochMilliseconds);
    const today = now.toPlainDate().toString();
    for (const query of ['', '?date=', '?cancelled=1']) {
      const { status, page } = await salon.browser.html(`/settings/calendar${query}`);
      expect([query, status, page.includes(`value="${today}"`)]).toEqual([query, 200, true]);
      expect(page).toContain('where it is ');
    }
    expect((await salon.browser.html(CALENDAR)).page).not.toContain('where it is ');
  });

  it.each([
    ['2026-02-31', 'The date field must be a date that exists.'],
    ['x', 'The date field must be a date in the format Y-m-d.'],
    ['3000-01-01', 'The date field must be a date from 1900-01-01 to 2999-12-31.'],
    ['2031-06-02&date=2031-06-03', 'The date field must be a string.'],
  ])('422: %s is no date, which the page says, with a link to today', async (date, message) => {
    const { browser } = await world.newSalon();
    const path = `/settings/calendar?date=${date}`;
    const { status, page } = await browser.html(path);
    expect([status, page]).toEqual([422, expect.stringContaining('This address is not valid')]);
    expect(page).toContain(`<code>date=${date.replace('&date=', ', ')}</code>`);
    expect(page).toContain('<a class="button" href="/settings/calendar">Go to today</a>');
    const refused = await browser.json('GET', path);
    expect([refused.status, refused.body.errors]).toEqual([422, { date: [message] }]);
  });

  it('ends where dates end', async () => {
    const salon = await world.newSalon();
    const { page } = await salon.browser.html('/settings/calendar?date=2999-12-31');
    expect(page).toContain('Previous day');
    expect(page).not.toContain('Next day');
  });

  it('escapes what people are called', async () => {
    const salon = await world.newSalon({ customer: '<img src=x>"' });
    await salon.booked();
    const { page } = await salon.browser.html(CALENDAR);
    expect(page).not.toContain('<img');
    expect(page).toContain('&lt;img src=x&gt;&quot;');
  });

  it('has free times as links to booking them, and none where something is booked, off or over', async () => {
    const salon = await world.newSalon();
    const [anna, ben] = salon.staffIds;
    await salon.booked();
    const linked = async (path: string) => {
      const { page } = await salon.browser.html(path);
      const links = page.matchAll(/class="free" href="\/settings\/calendar\/book\?([^"]+)"/g);
      return Array.from(links, ([, query = '']) => new URLSearchParams(query.replaceAll('&amp;', '&')));
    };
    const links = await linked(CALENDAR);
    const timesOf = (id: number | undefined) =>
      links.filter((link) => link.get('staff_id') === String(id)).map((link) => link.get('time'));
    // Ten to eleven is booked, a quarter of an hour after it is its buffer, noon to one is off.
    const afternoon = ['13', '14', '15', '16'].flatMap((hour) => [`${hour}:00`, `${hour}:30`]);
    expect(timesOf(anna)).toEqual(['09:00', '09:30', '11:15', ...afternoon]);
    const morning = ['09', '10', '11'].flatMap((hour) => [`${hour}:00`, `${hour}:30`]);
    expect(timesOf(ben)).toEqual([...morning, ...afternoon]);
    expect(new Set(links.map((link) => link.get('date')))).toEqual(new Set([MONDAY]));
    expect(await linked('/settings/calendar?date=2020-06-01')).toEqual([]);
    const { page } = await salon.browser.html(CALENDAR);
    expect(page).toContain(
      `<a class="button primary" href="/settings/calendar/book?date=${MONDAY}">Book</a>`,
    );
    expect(page).toContain(`href="${bookingOn({ date: MONDAY, staff_id: anna })}"`);
  });

  it('of a suspended business offers no booking and no move', async () => {
    const salon = await world.newSalon();
    await salon.booked();
    const offers =
      /class="free"|class="book"|class="block"|data-off|data-version|id="(move|block)"|calendar\/book/;
    expect((await salon.browser.html(CALENDAR)).page).toMatch(offers);
    const { gatewayWorld, gateway } = world;
    const path = `/internal/tenants/${salon.tenantId}`;
    await gatewayWorld.internal(gateway, operator, 'PATCH', path, { status: 'suspended' });
    await eventually(async () => {
      for (const shown of [CALENDAR, `/settings/calendar/week?date=${MONDAY}`]) {
        const { page } = await salon.browser.html(shown);
        expect(page).toContain('This business is suspended.');
        expect(page).toContain('Mia Wong');
        expect(page).not.toMatch(offers);
      }
    });
  });

  it('in JSON is what scheduling says', async () => {
    const salon = await world.newSalon();
    const id = await salon.booked();
    const { status, body } = await salon.browser.json('GET', CALENDAR);
    expect([status, body.data.date]).toEqual([200, MONDAY]);
    expect(body.data.columns[0]).toMatchObject({ name: 'Anna', appointments: [{ id }] });
  });
});

it('who isn’t signed in comes back to the day after signing in', async () => {
  const { status, headers } = await world.browser().html(CALENDAR);
  expect([status, headers.location]).toEqual([303, `/settings/sign-in?next=${encodeURIComponent(CALENDAR)}`]);
});
