import { type Day, MAX_SHOWN_WITHOUT_SLOT } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import { asOperator } from '../as-operator.ts';
import { MONDAY, openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterAll(() => world.stop());

const copiesOf = systemSql<{ id: number }, { id: number; copies: number }>(
  'test_copies',
  `insert into appointments (tenant_id, customer_id, service_id, staff_id, starts_at, ends_at, occupied, local_date, timezone,
     duration_minutes, buffer_before_minutes, buffer_after_minutes, price_minor, currency, status, source, cancelled_at)
   select tenant_id, customer_id, service_id, staff_id, starts_at, ends_at, occupied, local_date, timezone,
     duration_minutes, buffer_before_minutes, buffer_after_minutes, price_minor, currency, status, source, cancelled_at
   from appointments cross join generate_series(1, $copies::integer) where id = $id returning id`,
);

it.each([
  ['cancelled', 'no_show'],
  ['no_show', 'cancelled'],
] as const)(
  'a day shows the last %s ones up to a bound; every appointment that takes a slot, and every %s one, stays',
  async (many, other) => {
    const salon = await openSalon(world);
    const booked = async (time: string): Promise<number> =>
      (await salon.book({ staff_id: salon.anna, appointment_time: time })).body.data.id;
    const end = (id: number, status: string) =>
      status === 'cancelled' ? salon.cancel(id) : salon.setStatus(id, status);
    const held = await booked('09:00');
    const alone = await booked('10:00');
    await end(alone, other);
    const early = await booked('11:00');
    await end(early, many);
    await world.database.system.many(copiesOf, { id: early, copies: 200 });
    const late = await booked('14:00');
    await end(late, many);
    await world.database.system.many(copiesOf, { id: late, copies: MAX_SHOWN_WITHOUT_SLOT - 101 });

    const { body } = await asOperator(world, salon.tenantId)('GET', `/days/${MONDAY}`);
    const appointments = (body.data as Day).columns.flatMap((column) => column.appointments);
    const shown = Map.groupBy(appointments, ({ status }) => status);
    expect(shown.get('scheduled')).toMatchObject([{ id: held }]);
    expect(shown.get(other)).toMatchObject([{ id: alone }]);
    const times = Map.groupBy(shown.get(many) ?? [], ({ appointment_time }) => appointment_time);
    expect([times.get('11:00')?.length, times.get('14:00')?.length]).toEqual([
      100,
      MAX_SHOWN_WITHOUT_SLOT - 100,
    ]);
  },
);
