import type { Appointment, Customer, PageMeta } from '@frontdesk/contracts';
import { eventually } from '../support/index.ts';
import { PATIENT_MS } from '../support/patient-env.ts';
import { allAppointments, bookingOf, createBusiness, createCustomer, freeSlots } from './support/business.ts';
import { openTarget, type Target } from './support/target.ts';

const STATUSES = ['scheduled', 'completed', 'cancelled', 'no_show'];

interface Event {
  id: string;
  sequence: number;
  data: Customer;
}

describe('customers of an outside system, beside those of the API', () => {
  let target: Target;
  let business: Awaited<ReturnType<typeof createBusiness>>;

  beforeAll(async () => {
    target = await openTarget();
  });
  beforeEach(async () => {
    business = await createBusiness(target, 'Salon Mirror');
  });

  async function send(method: string, path: string, headers: Record<string, string> = {}, body?: object) {
    const answer = await fetch(`${target.gatewayUrl}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${business.key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.timeout(Number(PATIENT_MS)),
    });
    const text = await answer.text();
    if (answer.status >= 400 && answer.status !== 412) throw new Error(`${path}: ${answer.status} ${text}`);
    const { data, meta } = text === '' ? {} : JSON.parse(text);
    return { status: answer.status, etag: String(answer.headers.get('etag')), data, meta: meta as PageMeta };
  }

  it('304 ends when an appointment changes what the customer’s record shows; If-Match goes on', async () => {
    const { api, serviceId } = business;
    const { id } = await createCustomer(api, 'Mia Wong', '+49 30 901820');
    const path = `/customers/${id}`;
    const before = await send('GET', path);
    for (const tag of [before.etag, `W/${before.etag}`, `"x,y", ${before.etag}`]) {
      expect((await send('GET', path, { 'if-none-match': tag })).status).toBe(304);
      expect((await send('HEAD', path, { 'if-none-match': tag })).status).toBe(304);
    }

    const [slot] = await freeSlots(business, 2);
    if (!slot) throw new Error('no free slot');
    const booked = await api<Appointment>('POST', '/appointments', { body: bookingOf(slot, id, serviceId) });
    await eventually(async () => {
      const now = await send('GET', path, { 'if-none-match': before.etag });
      expect([now.status, now.data?.total_appointments]).toEqual([200, 1]);
    });
    expect((await send('HEAD', path, { 'if-none-match': before.etag })).status).toBe(200);
    const bare = await send('GET', path, { 'if-none-match': '"1"' });
    expect([bare.status, bare.data.total_spent]).toEqual([200, 0]);

    await api('PATCH', `/appointments/${booked.data().id}`, { body: { status: 'completed' } });
    await eventually(async () => {
      const now = await send('GET', path, { 'if-none-match': bare.etag });
      expect([now.status, now.data?.total_spent]).toEqual([200, 45.5]);
    });
    const edited = await send('PATCH', path, { 'if-match': `W/${before.etag}` }, { notes: 'Tea' });
    expect([edited.status, edited.data.total_spent]).toEqual([200, 45.5]);
    expect((await send('GET', path, { 'if-none-match': edited.etag })).status).toBe(304);
    const late = await send('PATCH', path, { 'if-match': before.etag }, { notes: 'Milk' });
    expect([late.status, late.etag]).toEqual([412, edited.etag]);
  });

  it('a copy by the feed and one by updated_since end as GET shows each customer', async () => {
    const { api, serviceId } = business;
    const cursor = (await send('GET', '/events?after=latest')).meta.next_cursor;
    const customers = await Promise.all(
      ['901830', '901831', '901832', '901833'].map((number) =>
        createCustomer(api, 'Ann', `+49 30 ${number}`),
      ),
    );
    const ids = customers.map(({ id }) => id).toSorted((a, b) => a - b);
    const slots = await freeSlots(business, 3);
    const any = <Value>(values: readonly Value[]) =>
      values[Math.floor(Math.random() * values.length)] as Value;
    const booked: number[] = [];
    const steps = [
      async () => {
        const body = bookingOf(any(slots), any(ids), serviceId);
        const answer = await api<Appointment>('POST', '/appointments', { body });
        if (answer.status === 201) booked.push(answer.data().id);
      },
      async () => {
        if (booked.length > 0)
          await api('PATCH', `/appointments/${any(booked)}`, { body: { status: any(STATUSES) } });
      },
      () => api('PATCH', `/customers/${any(ids)}`, { body: { notes: any(['Tea', 'Milk', null]) } }),
    ];
    for (let round = 0; round < 15; round += 1)
      await Promise.all(Array.from({ length: 4 }, () => any(steps)()));
    const appointments = await allAppointments(api);
    expect(appointments.length).toBeGreaterThan(0);

    await eventually(async () => {
      const views = await Promise.all(ids.map(async (id) => (await send('GET', `/customers/${id}`)).data));
      expect(await byFeed(String(cursor))).toEqual(views);
      expect(await byPolling()).toEqual(views);
      for (const view of views) {
        const own = appointments.filter(({ customer_id }) => customer_id === view.id);
        const spent = own.filter(({ status }) => status === 'completed').length * 45.5;
        expect([view.total_appointments, view.total_spent]).toEqual([own.length, spent]);
      }
    });
  });

  /** What the guides on events and webhooks say: the highest sequence of each record wins. */
  async function byFeed(start: string): Promise<Customer[]> {
    const known = new Map<number, Event>();
    let after = start;
    for (let hasMore = true; hasMore; ) {
      const types = 'customer.created,customer.updated';
      const { data, meta } = await send('GET', `/events?types=${types}&after=${encodeURIComponent(after)}`);
      for (const event of data as Event[]) {
        if (event.sequence > (known.get(event.data.id)?.sequence ?? 0)) known.set(event.data.id, event);
      }
      after = String(meta.next_cursor);
      hasMore = (meta as PageMeta & { has_more: boolean }).has_more;
    }
    return [...known.values()].map(({ data }) => data).toSorted((a, b) => a.id - b.id);
  }

  const polled = new Map<number, { since: string; record: Customer; etag: string }>();

  /** What the guide on lists says: each customer that has changed is read once more. */
  async function byPolling(): Promise<Customer[]> {
    const since =
      [...polled.values()]
        .map((entry) => entry.since)
        .toSorted()
        .at(-1) ?? '1970-01-01T00:00:00Z';
    const { data } = await send('GET', `/customers?per_page=100&updated_since=${since}`);
    for (const { id, updated_at } of data as Customer[]) {
      const known = polled.get(id);
      const read = await send('GET', `/customers/${id}`, known ? { 'if-none-match': known.etag } : {});
      const record = read.status === 304 ? (known as { record: Customer }).record : read.data;
      polled.set(id, { since: updated_at, record, etag: read.etag });
    }
    return [...polled.values()].map(({ record }) => record).toSorted((a, b) => a.id - b.id);
  }
});
