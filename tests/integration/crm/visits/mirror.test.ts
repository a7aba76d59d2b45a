import type { AppointmentStatus, Customer } from '@frontdesk/contracts';
import fc from 'fast-check';
import { visitOf } from '../../../../services/crm/src/visits/visit.rules.ts';
import { takeInVisits } from '../../../../services/crm/src/visits/visits.consumer.ts';
import { eventually } from '../../../support/index.ts';
import { appointmentEvent } from '../appointment-event.ts';
import { crm, startForEachTest, tenant } from '../each-test.ts';

type AppointmentEvent = ReturnType<typeof appointmentEvent>;

describe('a copy of customers that is kept by events', () => {
  startForEachTest();

  const view = async (id: number): Promise<Customer> =>
    (await crm.api(tenant, 'GET', `/api/v1/customers/${id}`)).body.data;
  const patch = (id: number, body: object) => crm.api(tenant, 'PATCH', `/api/v1/customers/${id}`, body);
  const apply = (events: AppointmentEvent[]) => takeInVisits(crm.database, events.map(visitOf));
  const eventsOf = async (id: number) =>
    (await crm.events(tenant)).filter(({ aggregate_id }) => aggregate_id === id);

  let phone = 100;
  const newCustomer = async (): Promise<number> => {
    phone += 1;
    const body = { name: 'Generated', phone: `+49 30 23125 ${phone}` };
    return (await crm.api(tenant, 'POST', '/api/v1/customers', body)).body.data.id;
  };

  it('shows what a read shows, however edits and appointments race', async () => {
    const status = fc.constantFrom<AppointmentStatus>('scheduled', 'completed', 'cancelled', 'no_show');
    const step = fc.oneof(
      fc.record({ notes: fc.constantFrom('Tea', 'Milk', null) }),
      fc.record({ visit: fc.integer({ min: 1, max: 4 }), status, price: fc.nat(3) }),
    );
    const turns = fc.array(fc.array(fc.tuple(fc.nat(1), step), { minLength: 1, maxLength: 6 }), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(turns, async (together) => {
        const ids = [await newCustomer(), await newCustomer()];
        const versions = new Map<number, number>();
        for (const steps of together) {
          await Promise.all(
            steps.map(async ([which, change]) => {
              const id = ids[which] as number;
              if ('notes' in change) return void (await patch(id, change));
              const appointment = id * 10 + change.visit;
              const version = (versions.get(appointment) ?? 0) + 1;
              versions.set(appointment, version);
              const { status: given, price } = change;
              const visit = { id: appointment, version, status: given, price, date: `2026-03-0${1 + price}` };
              await apply([appointmentEvent({ tenant_id: tenant, customer_id: id, ...visit })]);
            }),
          );
        }
        for (const id of ids) {
          const events = await eventsOf(id);
          expect(events.map(({ aggregate_version }) => aggregate_version)).toEqual(
            events.map((_, index) => index + 1),
          );
          expect(events.at(-1)?.data).toEqual(await view(id));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('no event, and nothing else, comes of an appointment that leaves the totals as they are', async () => {
    const id = await newCustomer();
    const visit = { tenant_id: tenant, customer_id: id, id: 1, price: 20, date: '2026-03-02' } as const;
    await apply([appointmentEvent({ ...visit, version: 1, status: 'scheduled' })]);
    const before = await view(id);
    expect(before.total_appointments).toBe(1);
    expect(await eventsOf(id)).toHaveLength(2);

    await apply([appointmentEvent({ ...visit, version: 1, status: 'scheduled' })]);
    await apply([appointmentEvent({ ...visit, version: 2, status: 'cancelled', date: '2026-03-05' })]);
    expect([await view(id), (await eventsOf(id)).length]).toEqual([before, 2]);
  });

  it('one event for a customer comes of many appointments that arrive together', async () => {
    const ids = [await newCustomer(), await newCustomer()];
    const events = ids.flatMap((customer_id) =>
      [1, 2, 3].map((n) =>
        appointmentEvent({
          tenant_id: tenant,
          customer_id,
          id: customer_id * 10 + n,
          version: 1,
          status: 'completed',
          price: 10,
          date: `2026-03-0${n}`,
        }),
      ),
    );
    await apply(events);
    for (const id of ids) {
      const [, updated, ...more] = await eventsOf(id);
      expect(more).toEqual([]);
      expect(updated).toMatchObject({ type: 'customer.updated', aggregate_version: 2, data: await view(id) });
      expect(updated?.data).toMatchObject({ total_appointments: 3, total_spent: 30 });
    }
  });

  it('takes in appointments of customers that are not there, and of another tenant’s, without a word', async () => {
    const [id, other] = [await newCustomer(), crm.newTenant()];
    const visit = { id: 1, version: 1, status: 'completed', price: 20, date: '2026-03-02' } as const;
    await apply([
      appointmentEvent({ ...visit, tenant_id: tenant, customer_id: 999_999_999 }),
      appointmentEvent({ ...visit, tenant_id: other, customer_id: id }),
    ]);
    expect(await eventsOf(id)).toHaveLength(1);
    expect(await crm.events(other)).toEqual([]);
    expect((await view(id)).total_appointments).toBe(0);
  });

  it('a change of the totals is one of the customer: updated_since finds it', async () => {
    const id = await newCustomer();
    const { updated_at } = await view(id);
    const changedSince = async (since: string): Promise<Customer[]> =>
      (await crm.api(tenant, 'GET', `/api/v1/customers?updated_since=${since}`)).body.data;
    await eventually(async () => expect(await changedSince(updated_at)).toHaveLength(1));
    const later = Temporal.Instant.from(updated_at).add({ milliseconds: 1 }).toString();
    expect(await changedSince(later)).toEqual([]);

    const visit = { tenant_id: tenant, customer_id: id, id: 1, price: 20, date: '2026-03-02' } as const;
    await apply([appointmentEvent({ ...visit, version: 1, status: 'scheduled' })]);
    const changed = await view(id);
    await eventually(async () =>
      expect(await changedSince(later)).toMatchObject([{ id, updated_at: changed.updated_at }]),
    );
    await apply([appointmentEvent({ ...visit, version: 2, status: 'cancelled' })]);
    expect(await view(id)).toEqual(changed);
  });
});
