import type { AppointmentStatus } from '@frontdesk/contracts';
import { latestPerAggregate } from '@frontdesk/events';
import fc from 'fast-check';
import { saveVisits } from '../../../../services/crm/src/visits/visit.repository.ts';
import { visitOf } from '../../../../services/crm/src/visits/visit.rules.ts';
import { appointmentEvent } from '../appointment-event.ts';
import { crm, startForEachTest, tenant } from '../each-test.ts';

type AppointmentEvent = ReturnType<typeof appointmentEvent>;

describe('the aggregates of a customer’s visits', () => {
  let id: number;
  startForEachTest();
  beforeEach(async () => {
    const body = { name: 'Anna Weber', phone: '030 23125 123' };
    id = (await crm.api(tenant, 'POST', '/api/v1/customers', body)).body.data.id;
  });

  const apply = async (events: AppointmentEvent[]) => {
    const visits = latestPerAggregate(events).map(visitOf);
    for (const [tenantId, ofTenant] of Map.groupBy(visits, ({ tenant_id }) => tenant_id))
      await saveVisits(crm.database.forTenant(tenantId), ofTenant);
  };
  const totals = async (customer = id, ofTenant = tenant) => {
    const { body } = await crm.api(ofTenant, 'GET', `/api/v1/customers/${customer}`);
    const { total_appointments, total_spent, currency, last_visit_date } = body.data;
    return { total_appointments, total_spent, currency, last_visit_date };
  };
  const event = (fields: Omit<Parameters<typeof appointmentEvent>[0], 'tenant_id' | 'customer_id'>) =>
    appointmentEvent({ tenant_id: tenant, customer_id: id, ...fields });

  it('counts every appointment, and money and dates of completed ones only', async () => {
    await apply([
      event({ id: 1, version: 2, status: 'completed', price: 45.1, date: '2026-03-02' }),
      event({ id: 2, version: 3, status: 'completed', price: 0.2, date: '2026-01-15' }),
      event({ id: 3, version: 1, status: 'scheduled', price: 99, date: '2026-12-24' }),
      event({ id: 4, version: 2, status: 'cancelled', price: 50, date: '2026-04-01' }),
      event({ id: 5, version: 2, status: 'no_show', price: 60, date: '2026-05-01' }),
    ]);
    expect(await totals()).toEqual({
      total_appointments: 5,
      total_spent: 45.3,
      currency: 'EUR',
      last_visit_date: '2026-03-02',
    });
  });

  it('follows an appointment through its changes', async () => {
    await apply([event({ id: 1, version: 1, status: 'scheduled', price: 20, date: '2026-03-02' })]);
    expect(await totals()).toMatchObject({ total_appointments: 1, total_spent: 0, last_visit_date: null });
    await apply([event({ id: 1, version: 2, status: 'completed', price: 20, date: '2026-03-02' })]);
    expect(await totals()).toMatchObject({ total_spent: 20, last_visit_date: '2026-03-02' });
    await apply([event({ id: 1, version: 3, status: 'cancelled', price: 20, date: '2026-03-02' })]);
    expect(await totals()).toMatchObject({ total_appointments: 1, total_spent: 0, last_visit_date: null });
  });

  it('keeps tenants and customers apart that share ids', async () => {
    const other = crm.newTenant();
    const body = { name: 'Bernd', phone: '030 23125 124' };
    const bernd = (await crm.api(other, 'POST', '/api/v1/customers', body)).body.data.id;
    await apply([
      event({ id: 1, version: 1, status: 'completed', price: 10, date: '2026-03-02' }),
      appointmentEvent({
        tenant_id: other,
        customer_id: bernd,
        id: 1,
        version: 1,
        status: 'completed',
        price: 7,
        date: '2026-03-03',
      }),
      appointmentEvent({
        tenant_id: other,
        customer_id: id,
        id: 2,
        version: 1,
        status: 'completed',
        price: 100,
        date: '2026-03-04',
      }),
    ]);
    expect(await totals()).toMatchObject({ total_appointments: 1, total_spent: 10 });
    expect(await totals(bernd, other)).toMatchObject({ total_appointments: 1, total_spent: 7 });
  });

  it.each([
    ['JPY', 1_500, 4_500],
    ['KWD', 1.105, 3.315],
    ['USD', 0.1, 0.3],
  ])('adds amounts of %s exactly', async (currency, price, sum) => {
    const own = crm.newTenant({ currency });
    const body = { name: 'Chika', phone: '030 23125 125' };
    const customer = (await crm.api(own, 'POST', '/api/v1/customers', body)).body.data.id;
    await apply(
      [1, 2, 3].map((appointment) =>
        appointmentEvent({
          tenant_id: own,
          customer_id: customer,
          id: appointment,
          version: 1,
          currency,
          status: 'completed',
          price,
          date: '2026-03-02',
        }),
      ),
    );
    expect(await totals(customer, own)).toMatchObject({ total_spent: sum, currency });
  });

  it('follows an appointment to another customer, another price, and from cancelled to completed', async () => {
    const other = await newCustomer();
    const visit = { id: 1, price: 20, date: '2026-03-02' } as const;
    await apply([event({ ...visit, version: 1, status: 'completed' })]);
    const moved = { ...visit, tenant_id: tenant, customer_id: other };
    await apply([appointmentEvent({ ...moved, version: 2, status: 'cancelled', price: 35 })]);
    const nothing = { total_appointments: 0, total_spent: 0, last_visit_date: null };
    expect(await totals()).toMatchObject(nothing);
    expect(await totals(other)).toMatchObject({ ...nothing, total_appointments: 1 });
    await apply([appointmentEvent({ ...moved, version: 3, status: 'completed', price: 35 })]);
    await apply([event({ ...visit, version: 1, status: 'completed' })]);
    expect(await totals()).toMatchObject(nothing);
    expect(await totals(other)).toMatchObject({ total_appointments: 1, total_spent: 35 });
  });

  it('adds up 10,000 appointments of one customer', async () => {
    const statuses = ['completed', 'cancelled', 'scheduled', 'no_show'] as const;
    const events = Array.from({ length: 10_000 }, (_, n) =>
      event({
        id: n + 1,
        version: 2,
        status: statuses[n % 4] ?? 'completed',
        price: 19.99,
        date: `20${String(10 + (n % 15)).padStart(2, '0')}-03-02`,
      }),
    );
    for (let from = 0; from < events.length; from += 500) await apply(events.slice(from, from + 500));
    expect(await totals()).toMatchObject({
      total_appointments: 10_000,
      total_spent: 49_975,
      last_visit_date: '2024-03-02',
    });
  });

  it('spends nothing in a currency that is not the tenant’s, and counts the visit all the same', async () => {
    await apply([
      event({ id: 1, version: 1, status: 'completed', price: 10, date: '2026-03-02' }),
      event({ id: 2, version: 1, status: 'completed', price: 99, date: '2026-03-03', currency: 'USD' }),
    ]);
    const counted = { total_appointments: 2, last_visit_date: '2026-03-03' };
    expect(await totals()).toEqual({ ...counted, total_spent: 10, currency: 'EUR' });
  });

  it('answers a PATCH with the totals and does not count them as a change', async () => {
    await apply([event({ id: 1, version: 1, status: 'completed', price: 10, date: '2026-03-02' })]);
    const answer = await crm.api(tenant, 'PATCH', `/api/v1/customers/${id}`, { notes: 'Tea' });
    expect(answer.body.data).toMatchObject({ total_appointments: 1, total_spent: 10 });
    expect(answer.headers.etag).toMatch(/^"2-/);
    const [, updated] = await crm.events(tenant);
    expect(updated?.data).toEqual(answer.body.data);
  });

  it('comes to the same whatever order, batches and duplicates the events arrive in', async () => {
    const status = fc.constantFrom<AppointmentStatus>('scheduled', 'completed', 'cancelled', 'no_show');
    const history = fc.array(
      fc.record({ status, cents: fc.nat(50_000), day: fc.integer({ min: 1, max: 28 }) }),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    const story = fc.array(history, { minLength: 1, maxLength: 5 }).chain((histories) => {
      const facts = histories.flatMap((changes, index) =>
        changes.map((change, version) => ({ ...change, id: index + 1, version: version + 1 })),
      );
      // Every event twice, in any order: a permutation of them all.
      const all = [...facts, ...facts];
      const arrival = fc.shuffledSubarray(all, { minLength: all.length });
      return fc.record({
        histories: fc.constant(histories),
        arrival,
        size: fc.integer({ min: 1, max: 6 }),
      });
    });
    await fc.assert(
      fc.asyncProperty(story, async ({ histories, arrival, size }) => {
        const customer = await newCustomer();
        const asEvent = ({ id: appointment, version, status: given, cents, day }: (typeof arrival)[number]) =>
          appointmentEvent({
            tenant_id: tenant,
            customer_id: customer,
            id: base + appointment,
            version,
            status: given,
            price: cents / 100,
            date: `2026-02-${String(day).padStart(2, '0')}`,
          });
        const base = customer * 10;
        const events = arrival.map(asEvent);
        for (let from = 0; from < events.length; from += size) await apply(events.slice(from, from + size));

        const last = histories.flatMap((changes) => changes.slice(-1));
        const completed = last.filter((fact) => fact.status === 'completed');
        const days = completed.map(({ day }) => day);
        expect(await totals(customer)).toEqual({
          total_appointments: last.length,
          total_spent: completed.reduce((sum, { cents }) => sum + cents, 0) / 100,
          currency: 'EUR',
          last_visit_date: days.length > 0 ? `2026-02-${String(Math.max(...days)).padStart(2, '0')}` : null,
        });
      }),
      { numRuns: 40 },
    );
  });

  let phone = 200;
  const newCustomer = async (): Promise<number> => {
    phone += 1;
    const body = { name: 'Generated', phone: `+49 30 23125 ${phone}` };
    return (await crm.api(tenant, 'POST', '/api/v1/customers', body)).body.data.id;
  };
});
