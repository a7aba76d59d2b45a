import { systemSql } from '@frontdesk/database';
import { createPublisher } from '@frontdesk/events';
import { Client } from 'pg';
import {
  eventOf,
  eventually,
  kafkaClient,
  lockWaits,
  logger,
  recordOf,
  removeTopics,
  sampleCustomer,
} from '../../../support/index.ts';
import { openSalon } from '../salon.ts';
import { startScheduling } from '../scheduling-world.ts';

const PHONE = '+4930123456';

const findMerges = systemSql<{ id: number; merged_into: number; is_due: boolean }, { tenantId: number }>(
  'test_merges',
  `select id, merged_into, rewrite_due_at <= now() as is_due from merged_customers where tenant_id = $tenantId order by id`,
);
const findCustomers = systemSql<{ id: number; version: number }, { tenantId: number }>(
  'test_customers',
  'select id, version from customers where tenant_id = $tenantId order by id',
);
const makeDue = systemSql<never>(
  'test_make_rewrites_due',
  'update merged_customers set rewrite_due_at = now() where rewrite_due_at is not null',
);

export interface ShownAppointment {
  id: number;
  customer_id: number;
  updated_at: string;
  etag: string;
}

/** A scheduling with all that runs by itself, and crm's events. */
export async function startMerging() {
  const world = await startScheduling({ isWhole: true });
  const publisher = createPublisher({ kafka: kafkaClient(world.config.KAFKA_PREFIX), logger });
  await publisher.start();
  await eventually(async () => {
    const { statusCode } = await world.service.internal.inject({ method: 'GET', url: '/health/ready' });
    expect(statusCode).toBe(200);
  });
  const blocker = new Client({ connectionString: world.config.DATABASE_URL });
  await blocker.connect();

  return {
    ...world,
    publish: publisher.publish,
    created: (tenantId: number, id: number, version = 1) =>
      recordOf(eventOf('customer.created', tenantId, sampleCustomer({ id }), version)),
    merged: (tenantId: number, id: number, merged_into: number) => {
      const data = { id, merged_into, phone: PHONE, merged_at: '2026-03-02T09:00:00Z' };
      return recordOf(eventOf('customer.merged', tenantId, data, 9));
    },
    merges: (tenantId: number) => world.database.system.many(findMerges, { tenantId }),
    known: (tenantId: number) => world.database.system.many(findCustomers, { tenantId }),
    /** Ends the time until rows of merged customers are looked for again, as it would pass. */
    makeRewritesDue: () => world.database.system.run(makeDue),
    shown: async (tenantId: number, id: number): Promise<ShownAppointment> => {
      const { body, headers } = await world.api(tenantId, 'GET', `/appointments/${id}`);
      return { ...body.data, etag: headers.etag };
    },
    /** Of each appointment, the earliest first. */
    customersOf: async (tenantId: number): Promise<number[]> =>
      (await world.api(tenantId, 'GET', '/appointments?sort=starts_at')).body.data.map(
        ({ customer_id }: ShownAppointment) => customer_id,
      ),
    /** A salon with so many customers whom crm knows, and who book at 9:00, 10:00 and so on. */
    async salonOf(count: number) {
      const salon = await openSalon(world);
      const ids = Array.from({ length: count }, () => world.newCustomer(salon.tenantId));
      const bookAt = (hour: number, customer_id?: number, headers?: Record<string, string>) => {
        const appointment_time = `${String(hour).padStart(2, '0')}:00`;
        return salon.book({ customer_id, staff_id: salon.anna, appointment_time }, headers);
      };
      const bookedAt = async (hour: number, customer_id?: number): Promise<number> => {
        const { status, body } = await bookAt(hour, customer_id);
        expect(status).toBe(201);
        return body.data.id;
      };
      return { ...salon, ids, bookAt, bookedAt };
    },
    /** Has changes of a business wait while the work runs, each with what it has read and locked by then. */
    async holding(tenantId: number, work: (untilWaiting: (count: number) => Promise<void>) => Promise<void>) {
      await blocker.query('begin');
      await blocker.query('select from booking_settings where tenant_id = $1 for update', [tenantId]);
      try {
        await work((count) =>
          eventually(async () => expect((await lockWaits(world.database)).all).toBe(count)),
        );
      } finally {
        await blocker.query('rollback');
      }
    },
    /** So many cancelled appointments like this one. */
    multiply: (tenantId: number, id: number, count: number) =>
      blocker.query(
        `insert into appointments (tenant_id, customer_id, service_id, staff_id, starts_at, ends_at, occupied, local_date,
           duration_minutes, buffer_before_minutes, buffer_after_minutes, timezone, price_minor, currency, status, source, cancelled_at)
         select tenant_id, customer_id, service_id, staff_id, starts_at, ends_at, occupied, local_date,
           duration_minutes, buffer_before_minutes, buffer_after_minutes, timezone, price_minor, currency, 'cancelled', source, now()
         from appointments cross join generate_series(1, $3::integer) where tenant_id = $1 and id = $2`,
        [tenantId, id, count],
      ),
    async stop() {
      await blocker.end();
      await publisher.stop();
      await world.stop();
      await removeTopics(world.config.KAFKA_PREFIX);
    },
  };
}
