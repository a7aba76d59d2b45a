import { type CallsWorld, startCalls } from '../../calls/calls-world.ts';
import { genericCall } from '../../calls/sample-calls.ts';
import { genericMessage } from '../../calls/signed-messages.ts';
import { MONDAY } from '../../scheduling/salon.ts';
import { BOOK, bookedOn, formOf } from '../booking-form.ts';
import { startCalendarWorld } from '../calendar-world.ts';
import { LOCAL, NOBODY } from '../settings-world.ts';

const CALLER = '+4930901820';

let world: Awaited<ReturnType<typeof startCalendarWorld>>;
let calls: CallsWorld;
let on: Awaited<ReturnType<typeof world.startSettings>>;
beforeAll(async () => {
  world = await startCalendarWorld();
  calls = await startCalls({ env: { CRM_INTERNAL_URL: world.crmUrl } });
  on = await world.startSettings({ CALLS_INTERNAL_URL: await calls.service.internal.listen(LOCAL) });
});
afterAll(async () => {
  await world.stop();
  await calls.service.internal.close();
  await calls.stop();
});

/** A salon with a phone: `ring` has the id of the call. */
async function newPhone(settings = on) {
  const salon = await world.newSalon({ on: settings });
  const { tenantId } = salon;
  calls.newTenant({ id: tenantId });
  const source = await calls.newSource(tenantId);
  const ring = async (fields: Parameters<typeof genericCall>[0] = {}): Promise<number> => {
    const call = genericCall({ from_number: CALLER, ...fields });
    expect((await calls.ingest(source, genericMessage(call, source))).status).toBe(202);
    await calls.settled(tenantId);
    return (await calls.list(tenantId)).data[0].id;
  };
  const callOf = async (id: number) =>
    (await calls.admin('GET', `/internal/tenants/${tenantId}/calls/${id}`)).body.data;
  return { ...salon, ring, callOf };
}

const MISSED = { started_at: '2026-03-02T10:00:00Z', ended_at: '2026-03-02T10:00:05Z' };
const appointmentAddress = (id: number | undefined) => `/settings/calendar/appointments/${id}`;

describe('a booking from a call', () => {
  it('shows the caller’s notes and visits at every step, and call and appointment name each other', async () => {
    const phone = await newPhone();
    const { browser, customer_id } = phone;
    const edited = await browser.json('POST', `/settings/customers/${customer_id}`, {
      notes: 'Allergic to nuts',
    });
    expect(edited.status).toBe(200);
    const past = await phone.booked({ appointment_date: '2025-06-02' });
    const coming = await phone.booked({ appointment_date: '2031-06-03' });
    const call = await phone.ring();
    const about = async (query: string) => {
      const { page } = await browser.html(`${BOOK}?call_id=${call}${query}`);
      return page.split('aria-labelledby="about-title"')[1]?.split('</section>')[0];
    };
    for (const query of ['', `&date=${MONDAY}`, `&date=${MONDAY}&time=10:00`]) {
      const card = await about(query);
      expect([query, card]).toEqual([query, expect.stringContaining('Allergic to nuts')]);
      expect(card).toContain(`href="${appointmentAddress(past)}"`);
      expect(card).toContain(`href="${appointmentAddress(coming)}"`);
    }
    const sent = formOf(phone, { call_id: String(call), customer_id: String(customer_id) });
    const { status, headers } = await browser.form(BOOK, sent);
    const [booked] = await bookedOn(phone);
    expect([status, headers.location]).toEqual([
      303,
      `${appointmentAddress(booked?.id)}?done=appointment-booked`,
    ]);
    expect(await phone.callOf(call)).toMatchObject({ appointment_id: booked?.id, called_back: null });
    expect((await browser.html(`/settings/calls/${call}`)).page).toContain(
      `href="${appointmentAddress(booked?.id)}"`,
    );
    const { page } = await browser.html(appointmentAddress(booked?.id));
    expect(page).toMatch(new RegExp(`<dt>Booked in</dt>\\s*<dd><a href="/settings/calls/${call}">`));
    const { page: log } = await browser.html('/settings/audit');
    expect(log).toContain('Linked a call to the appointment booked in it');
  });

  it('from a missed call calls the caller back', async () => {
    const phone = await newPhone();
    const call = await phone.ring(MISSED);
    const sent = formOf(phone, { call_id: String(call), customer_id: String(phone.customer_id) });
    expect((await phone.browser.form(BOOK, sent)).status).toBe(303);
    expect((await phone.callOf(call)).called_back).toMatchObject({ by: expect.stringContaining('admin-') });
    expect((await phone.browser.html('/settings/audit')).page).toContain(
      'Marked a missed call as called back',
    );
  });

  it.each([
    ['an unknown number', '+493023125007'],
    ['a hidden number', null],
  ])('of %s books somebody new, with the number filled in', async (_whose, from_number) => {
    const phone = await newPhone();
    const call = await phone.ring({ from_number });
    const { page } = await phone.browser.html(`/settings/calls/${call}`);
    expect(page).toContain(`href="${BOOK}?call_id=${call}"`);
    const last = await phone.browser.html(`${BOOK}?call_id=${call}&date=${MONDAY}&time=10:00`);
    const [, value = ''] = /<input[^>]*name="phone"[^>]*value="([^"]*)"/.exec(last.page) ?? [];
    expect(value).toBe(from_number ?? '');
    const sent = formOf(phone, { call_id: String(call), name: 'Ada Lovelace', phone: '030 23125007' });
    expect((await phone.browser.form(BOOK, sent)).status).toBe(303);
    const [booked] = await bookedOn(phone);
    expect((await phone.callOf(call)).appointment_id).toBe(booked?.id);
  });

  it('stands where calls is away, and says that the call is not linked', async () => {
    const phone = await newPhone(await world.startSettings({ CALLS_INTERNAL_URL: NOBODY }));
    const call = await phone.ring();
    const sent = formOf(phone, { call_id: String(call), customer_id: String(phone.customer_id) });
    const { status, headers } = await phone.browser.form(BOOK, sent);
    expect([status, await bookedOn(phone)]).toEqual([303, [expect.anything()]]);
    const { page } = await phone.browser.html(String(headers.location));
    expect(page).toContain('Appointment booked. The call could not be linked to it.');
    expect(page).toContain('The calls can’t be shown right now.');
  });

  it('of another business links nothing', async () => {
    const [phone, other] = [await newPhone(), await newPhone()];
    const call = await other.ring();
    const sent = formOf(phone, { call_id: String(call), customer_id: String(phone.customer_id) });
    expect((await phone.browser.form(BOOK, sent)).headers.location).toContain('appointment-booked-unlinked');
    expect((await other.callOf(call)).appointment_id).toBeNull();
  });
});

describe('the same service on the same day', () => {
  const askedFor = (page: string) =>
    /name="confirmed_customer_id"\s+value="(\d+)">Book another appointment</.exec(page)?.[1];

  it('is asked about before it is booked again', async () => {
    const phone = await newPhone();
    await phone.booked();
    const customer_id = String(phone.customer_id);
    const sent = formOf(phone, { customer_id, time: '15:00', notes: 'Fringe' });
    const asked = await phone.browser.form(BOOK, sent);
    expect([asked.status, await bookedOn(phone)]).toEqual([200, [expect.anything()]]);
    expect(asked.page).toContain('Mia Wong already has Haircut on Monday, 2 June 2031 at 10:00.');
    expect(asked.page).toContain('>Fringe</textarea>');
    expect(askedFor(asked.page)).toBe(customer_id);
    expect((await phone.browser.form(BOOK, { ...sent, confirmed_customer_id: customer_id })).status).toBe(
      303,
    );
    expect(await bookedOn(phone)).toHaveLength(2);
  });

  it('is asked about, too, where somebody else has booked it for the same time meanwhile', async () => {
    const phone = await newPhone();
    const customer_id = String(phone.customer_id);
    const sent = formOf(phone, { customer_id });
    await phone.booked();
    expect(askedFor((await phone.browser.form(BOOK, sent)).page)).toBe(customer_id);
    expect(await bookedOn(phone)).toHaveLength(1);
  });

  it('is asked about for each customer anew', async () => {
    const phone = await newPhone();
    await phone.booked();
    const sent = formOf(phone, {
      customer_id: String(phone.customer_id),
      time: '15:00',
      confirmed_customer_id: '7',
    });
    expect(askedFor((await phone.browser.form(BOOK, sent)).page)).toBe(String(phone.customer_id));
  });

  it('of what was cancelled, of another day or of a program is booked at once', async () => {
    const phone = await newPhone();
    await phone.change(await phone.booked(), { status: 'cancelled' });
    await phone.booked({ appointment_date: '2031-06-03' });
    const sent = formOf(phone, { customer_id: String(phone.customer_id) });
    expect((await phone.browser.form(BOOK, sent)).status).toBe(303);
    const { form_token: _none, ...body } = { ...sent, time: '15:00' };
    expect((await phone.browser.json('POST', BOOK, body)).status).toBe(201);
  });
});

it('422: ids that are none', async () => {
  const phone = await newPhone();
  const { form_token: _none, ...form } = formOf(phone, { customer_id: String(phone.customer_id) });
  for (const name of ['call_id', 'confirmed_customer_id'])
    for (const wrong of [{}, [], true, -1, 1.5, 'x']) {
      const { status, body } = await phone.browser.json('POST', BOOK, { ...form, [name]: wrong });
      expect([name, wrong, status, Object.keys(body.errors ?? {})]).toEqual([name, wrong, 422, [name]]);
    }
});
