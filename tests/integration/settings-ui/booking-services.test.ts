import { everyDay, MONDAY, NINE_TO_FIVE } from '../scheduling/salon.ts';
import { BOOK, bookedOn, formOf } from './booking-form.ts';
import { startCalendarWorld } from './calendar-world.ts';
import { fieldsOf } from './form-fields.ts';

let world: Awaited<ReturnType<typeof startCalendarWorld>>;
beforeAll(async () => {
  world = await startCalendarWorld();
});
afterAll(() => world.stop());

it('whoever was asked for and doesn’t perform the service is replaced by nobody unseen', async () => {
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
  expect(refused.page).toContain('It can’t be booked with the chosen staff member any more.');
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
  expect(late).toContain('This time is not free for the service.');
  expect(late).toContain('>Fringe</textarea>');
  expect(late).toContain(`name="at" value="${MONDAY}T09:00"`);
  expect(await bookedOn(salon)).toEqual([]);
});
