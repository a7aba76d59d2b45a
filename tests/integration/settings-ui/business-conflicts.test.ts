import { MONDAY } from '../scheduling/salon.ts';
import { BUSINESS, STAFF } from './business-world.ts';
import { startCalendarWorld } from './calendar-world.ts';

let world: Awaited<ReturnType<typeof startCalendarWorld>>;
beforeAll(async () => {
  world = await startCalendarWorld();
});
afterAll(() => world.stop());

/** The appointments that one card shows; null where it shows none. */
function listedIn(page: string, card: 'hours' | 'exceptions' | 'time-off'): string | null {
  const [, section = ''] = page.split(`<section class="card" id="${card}"`);
  const [own = ''] = section.split('</section>');
  const [, listed] = /class="notice waiting conflicts"(.*?)<\/div>/s.exec(own) ?? [];
  return listed === undefined ? null : listed.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
}

async function bookedSalon() {
  const salon = await world.newSalon({ customer: 'Mia <b>Wong</b>' });
  const id = await salon.booked();
  const path = `${STAFF}/${salon.staffIds[0]}`;
  const listed = async (of: string = path) => {
    const { page } = await salon.browser.html(of);
    return (['hours', 'exceptions', 'time-off'] as const).map((card) => listedIn(page, card));
  };
  return { ...salon, id, path, listed };
}

it('time off, a date and weekly hours that leave an appointment outside name it where they are entered', async () => {
  const { browser, id, path, listed } = await bookedSalon();
  expect(await listed()).toEqual([null, null, null]);
  await browser.form(`${path}/time-off`, { first_day: MONDAY });
  const { page } = await browser.html(path);
  expect(listedIn(page, 'time-off')).toContain(
    '1 appointment during time off or closing days. It stays booked; move or cancel what can’t take place.',
  );
  expect(page).toContain(`href="/settings/calendar/appointments/${id}"`);
  expect(page).toContain('Haircut, Mia &lt;b&gt;Wong&lt;/b&gt;, with Anna');
  expect(await listed()).toEqual([null, null, expect.stringContaining('Mon, 2 Jun 2031 , 10:00–11:00')]);

  const [, timeOff = ''] = /time-off\/(\d+)\/delete/.exec(page) ?? [];
  await browser.form(`${path}/time-off/${timeOff}/delete`, {});
  await browser.form(`${path}/exceptions`, { date: MONDAY, kind: 'closed' });
  expect(await listed()).toEqual([
    null,
    expect.stringContaining('outside the special hours of their date'),
    null,
  ]);
  await browser.form(`${path}/exceptions/${MONDAY}/delete`, {});
  await browser.json('POST', `${path}/hours`, { hours: { monday: [{ start: '12:00', end: '17:00' }] } });
  expect(await listed()).toEqual([expect.stringContaining('outside these hours'), null, null]);
});

it('a closing day names everybody’s appointments, and nobody’s of another business', async () => {
  const [{ browser, listed, booked, staffIds }, other] = [await bookedSalon(), await bookedSalon()];
  await booked({ staff_id: staffIds[1] });
  const own = `${BUSINESS}/opening-hours`;
  await browser.form(`${own}/time-off`, { first_day: MONDAY });
  const [, , closing] = await listed(own);
  expect(closing).toMatch(/2 appointments during.*with Anna.*with Ben/);
  expect(await other.listed(own)).toEqual([null, null, null]);
});
