import { everyDay, MONDAY, NINE_TO_FIVE } from '../../scheduling/salon.ts';
import { BOOK, bookedOn, formOf } from '../booking-form.ts';
import { BUSINESS, STAFF } from '../business-world.ts';
import { startCalendarWorld } from '../calendar-world.ts';
import { fieldsOf } from '../form-fields.ts';

let world: Awaited<ReturnType<typeof startCalendarWorld>>;
beforeAll(async () => {
  world = await startCalendarWorld();
});
afterAll(() => world.stop());

describe('appointments outside new hours', () => {
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
});

describe('services and staff that can’t be booked any more', () => {
  it('a staff member who was asked for and doesn’t perform the service is not replaced unseen', async () => {
    const hours = everyDay(NINE_TO_FIVE);
    const salon = await world.newSalon({
      services: ['Haircut', 'Shave'].map((name) => ({ name, duration_minutes: 60, price: 45.5 })),
      staff: ['Haircut', 'Shave'].map((name) => ({ name: `Of ${name}`, services: [name], hours })),
    });
    const [haircut] = salon.serviceIds;
    const wanted = `${BOOK}?date=${MONDAY}&time=10:00&staff_id=${salon.staffIds[1]}`;
    expect((await salon.browser.html(wanted)).page).toContain(
      'Shave, Monday, 2 June 2031 at 10:00 with Of Shave',
    );
    const { page } = await salon.browser.html(`${wanted}&service_id=${haircut}`);
    expect(page).toContain('Haircut can’t be booked with the chosen staff member.');
    const [, time = ''] = /class="button" href="([^"]+)"/.exec(page) ?? [];
    const { page: last } = await salon.browser.html(time.replaceAll('&amp;', '&'));
    expect(last).toContain('Who is it for?');
    // They may stop while the form is filled in.
    const fields = { staff_id: String(salon.staffIds[1]), customer_id: String(salon.customer_id) };
    const refused = await salon.browser.form(BOOK, formOf(salon, { ...fields, notes: 'Fringe' }));
    expect([refused.status, await bookedOn(salon)]).toEqual([422, []]);
    expect(refused.page).toContain('The person you chose can’t be booked any more.');
    expect(refused.page).toContain(`name="staff_id" value="${salon.staffIds[1]}"`);
    expect(refused.page).toContain('>Fringe</textarea>');
  });

  it('a service that can’t be booked is replaced by no other one unseen', async () => {
    const services = ['Haircut', 'Tattoo'].map((name) => ({ name, duration_minutes: 60, price: 45.5 }));
    const salon = await world.newSalon({ services });
    const [haircut, tattoo] = salon.serviceIds;
    const says = 'Tattoo can’t be booked now. Choose another service.';
    const at = `date=${MONDAY}&time=10:00&customer_id=${salon.customer_id}`;
    const { page } = await salon.browser.html(`${BOOK}?service_id=${tattoo}&${at}`);
    expect(page).toContain(says);
    expect(page).toContain(`href="${BOOK}?service_id=${haircut}&amp;date=${MONDAY}&amp;time=10%3A00`);
    // It may stop being bookable while the form is filled in.
    const sent = formOf(salon, { service_id: String(tattoo), customer_id: String(salon.customer_id) });
    for (const fields of [{ do: 'find', q: 'Mia' }, {}]) {
      const { page: again } = await salon.browser.form(BOOK, { ...sent, ...fields });
      expect([again.includes(says), await bookedOn(salon)]).toEqual([true, []]);
    }
  });

  it('what was typed for a service that can’t be booked any more goes along to another one', async () => {
    const services = ['Haircut', 'Tattoo'].map((name) => ({ name, duration_minutes: 60, price: 45.5 }));
    const salon = await world.newSalon({ services });
    const [haircut, tattoo] = salon.serviceIds;
    const typed = { name: 'Noa New', phone: '+1 555 0142', email: 'noa@example.com', notes: 'Fringe' };
    const choose = async (time: string) => {
      const refused = await salon.browser.form(
        BOOK,
        formOf(salon, { service_id: String(tattoo), time, ...typed }),
      );
      expect(refused.status).toBe(422);
      const fields = Object.entries(fieldsOf(refused.page, 'booking')).map(([name, [value = '']]) => [
        name,
        value,
      ]);
      expect(refused.page).toContain(`name="service_id" value="${haircut}"`);
      return salon.browser.form(BOOK, { ...Object.fromEntries(fields), service_id: String(haircut) });
    };
    const { page } = await choose('10:00');
    expect(page).toContain('Haircut, Monday, 2 June 2031 at 10:00');
    expect(page).toContain('>Fringe</textarea>');
    for (const text of [typed.name, typed.phone, typed.email]) expect(page).toContain(`value="${text}"`);
    // At another length or in other hands, the time may not be free.
    const { page: late } = await choose('03:00');
    expect(late).toContain('This time isn’t available for the service.');
    expect(late).toContain('>Fringe</textarea>');
    expect(late).toContain(`name="at" value="${MONDAY}T09:00"`);
    expect(await bookedOn(salon)).toEqual([]);
  });
});
