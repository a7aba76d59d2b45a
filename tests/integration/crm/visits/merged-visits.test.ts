import type { Customer } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import { REWRITTEN_TOGETHER } from '@frontdesk/merges';
import fc from 'fast-check';
import { visitOf } from '../../../../services/crm/src/visits/visit.rules.ts';
import { takeInVisits } from '../../../../services/crm/src/visits/visits.consumer.ts';
import { eventually } from '../../../support/index.ts';
import { appointmentEvent } from '../appointment-event.ts';
import { crm, startForEachTest, tenant } from '../each-test.ts';
import { add, get, heldMerge, merge, untilWaiting } from '../merges.ts';

const insertVisit = systemSql<never, { tenantId: number; customerId: number }>(
  'test_visit_of_release_before',
  `insert into visits (tenant_id, appointment_id, customer_id, status, price_minor, currency, date, version)
   values ($tenantId, 77, $customerId, 'completed', 1000, 'EUR', '2026-03-02', 1)`,
);

describe('the visits of a merged customer', () => {
  let anna: number;
  let hanna: number;
  startForEachTest();
  beforeAll(async () => {
    // Runs beside the requests, as in the service.
    await crm.service.components.find(({ name }) => name === 'merged customers')?.start?.();
  });
  afterAll(async () => {
    await crm.service.components.find(({ name }) => name === 'merged customers')?.stop?.();
  });
  beforeEach(async () => {
    anna = await add('Anna', '030 23125 123');
    hanna = await add('Hanna', '0151 2345 6789');
  });

  type Visit = Omit<Parameters<typeof appointmentEvent>[0], 'tenant_id'>;
  const visit = (fields: Partial<Visit>): Visit => ({
    customer_id: hanna,
    id: 1,
    version: 1,
    status: 'completed',
    price: 10,
    date: '2026-03-02',
    ...fields,
  });
  const apply = (...visits: Visit[]) =>
    takeInVisits(
      crm.database,
      visits.map((each) => visitOf(appointmentEvent({ tenant_id: tenant, ...each }))),
    );
  const totals = async (id = anna) => {
    const { total_appointments, total_spent, last_visit_date } = (await get(id)).body.data as Customer;
    return [total_appointments, total_spent, last_visit_date];
  };
  /** Of this customer, oldest first: each of a higher version than the one before, and no earlier one. */
  const updatesOf = async (id: number) => {
    const events = (await crm.events(tenant)).filter(({ aggregate_id }) => aggregate_id === id);
    expect(events.map(({ aggregate_version }) => aggregate_version)).toEqual(events.map((_, n) => n + 1));
    const states = events.map(({ data }) => data as unknown as Customer);
    for (const [n, { updated_at }] of states.entries())
      if (n > 0) expect(updated_at >= (states[n - 1]?.updated_at ?? '')).toBe(true);
    return states;
  };

  it('are those of whom they are part of, with the merge’s own event', async () => {
    await apply(
      visit({ id: 1, customer_id: anna, price: 5, date: '2026-03-01' }),
      visit({ id: 2 }),
      visit({ id: 3, date: '2026-04-02', status: 'no_show' }),
      visit({ id: 4, date: '2026-03-05', price: 20 }),
    );
    const { body } = await merge(anna, { merged_id: hanna });
    expect(body.data).toMatchObject({
      total_appointments: 4,
      total_spent: 35,
      last_visit_date: '2026-03-05',
    });
    const updates = await updatesOf(anna);
    expect([updates.length, updates.at(-1)]).toEqual([3, body.data]);
  });

  it('are all so in the end, however many: each portion is an event that is newer than the one before', async () => {
    const many = 2 * REWRITTEN_TOGETHER + 100;
    const visits = Array.from({ length: many }, (_, n) => visit({ id: n + 1 }));
    await apply(...visits);
    await merge(anna, { merged_id: hanna });
    await eventually(async () => expect(await totals()).toEqual([many, many * 10, '2026-03-02']));
    const counts = (await updatesOf(anna)).map(({ total_appointments }) => total_appointments);
    expect(counts).toEqual([0, REWRITTEN_TOGETHER, 2 * REWRITTEN_TOGETHER, many]);
    expect((await updatesOf(anna)).at(-1)).toEqual((await get(anna)).body.data);
  });

  it('that scheduling still announces for the old id count for the customer, and again change nothing', async () => {
    await apply(visit({ id: 1 }));
    await merge(anna, { merged_id: hanna });
    await apply(visit({ id: 1, version: 2, price: 30 }), visit({ id: 2, status: 'scheduled' }));
    expect(await totals()).toEqual([2, 30, '2026-03-02']);
    const after = await updatesOf(anna);
    expect(after.at(-1)).toEqual((await get(anna)).body.data);
    // A refill brings all of them, as they were stored under the old id or are by now.
    await apply(
      visit({ id: 1, version: 2, price: 30 }),
      visit({ id: 2, status: 'scheduled', customer_id: anna, version: 2 }),
    );
    expect([await totals(), (await updatesOf(anna)).length]).toEqual([[2, 30, '2026-03-02'], after.length]);
    await apply(visit({ id: 3, customer_id: hanna, date: '2026-05-01' }));
    expect(await totals()).toEqual([3, 40, '2026-05-01']);
  });

  it('follow a chain of merges', async () => {
    const last = await add('Johanna', '0160 1234567');
    await apply(visit({ id: 1 }));
    await merge(anna, { merged_id: hanna });
    await merge(last, { merged_id: anna });
    await apply(visit({ id: 2 }), visit({ id: 3, customer_id: anna }), visit({ id: 4, customer_id: last }));
    expect(await totals(last)).toEqual([4, 40, '2026-03-02']);
    expect((await updatesOf(last)).at(-1)).toEqual((await get(last)).body.data);
  });

  it('follow a chain that is made before the first merge has moved them all', async () => {
    const last = await add('Johanna', '0160 1234567');
    const many = 2 * REWRITTEN_TOGETHER + 1;
    await apply(...Array.from({ length: many }, (_, n) => visit({ id: n + 1 })));
    await merge(anna, { merged_id: hanna });
    await merge(last, { merged_id: anna });
    await eventually(async () => expect(await totals(last)).toEqual([many, many * 10, '2026-03-02']));
    expect((await updatesOf(last)).at(-1)).toEqual((await get(last)).body.data);
  });

  it('that come while the merge is made count for the customer', async () => {
    await apply(visit({ id: 1 }));
    const held = await heldMerge(anna, { merged_id: hanna });
    const applied = Promise.all([
      apply(visit({ id: 2, price: 20 })),
      // Was the old one's, and is a third one's from now on.
      apply(visit({ id: 1, version: 2, customer_id: await add('Ben', '030 23125 500') })),
    ]);
    await untilWaiting(2);
    await held.commit();
    await applied;
    expect(await totals()).toEqual([1, 20, '2026-03-02']);
    expect((await updatesOf(anna)).at(-1)).toEqual((await get(anna)).body.data);
  });

  it('that a process of the release before stores for the old id are moved later', async () => {
    await merge(anna, { merged_id: hanna });
    await crm.database.system.run(insertVisit, { tenantId: tenant, customerId: hanna });
    await eventually(async () => expect(await totals()).toEqual([1, 10, '2026-03-02']));
    expect((await updatesOf(anna)).at(-1)).toEqual((await get(anna)).body.data);
  });

  it('add up to what all of them had, however merges, edits and appointments race', async () => {
    const step = fc.oneof(
      fc.record({ into: fc.nat(3), from: fc.nat(3) }),
      fc.record({ of: fc.nat(3), id: fc.integer({ min: 1, max: 6 }) }),
      fc.record({ edited: fc.nat(3), notes: fc.constantFrom('Tea', 'Milk') }),
    );
    let number = 100;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
        number += 10;
        const ids = await Promise.all([0, 1, 2, 3].map((n) => add(`C${n}`, `+49 30 23127 ${number + n}`)));
        const idOf = (n: number) => ids[n] as number;
        const base = idOf(0) * 100;
        // Events of one appointment come one after the other, as from their partition.
        const events = new Map<number, { version: number; applied: Promise<void> }>();
        await Promise.all(
          steps.map(async (each) => {
            if ('into' in each) {
              const { status } = await merge(idOf(each.into), { merged_id: idOf(each.from) });
              expect([200, 404, 422]).toContain(status);
            } else if ('of' in each) {
              const before = events.get(each.id);
              const version = (before?.version ?? 0) + 1;
              const event = visit({ id: base + each.id, version, customer_id: idOf(each.of) });
              const applied = Promise.resolve(before?.applied).then(() => apply(event));
              events.set(each.id, { version, applied });
              await applied;
            } else {
              await crm.api(tenant, 'PATCH', `/api/v1/customers/${idOf(each.edited)}`, { notes: each.notes });
            }
          }),
        );
        const left: Customer[] = [];
        for (const id of ids) {
          const { status, body } = await get(id);
          if (status !== 200) continue;
          left.push(body.data);
          expect((await updatesOf(id)).at(-1)).toEqual(body.data);
        }
        const sum = left.reduce((all, { total_appointments }) => all + total_appointments, 0);
        expect(sum).toBe(events.size);
      }),
      { numRuns: 60 },
    );
  });
});
