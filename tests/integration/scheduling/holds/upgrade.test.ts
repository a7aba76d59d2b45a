import { migrate } from '@frontdesk/database';
import { Client } from 'pg';
import { migrations } from '../../../../services/scheduling/src/migrations/index.ts';
import { createTestDatabase, logger } from '../../../support/index.ts';

const WITH_HOLDS = migrations.findIndex((Step) => Step.name === 'CreateHolds1790000100018');

it('begins where the release before ended', () => expect(WITH_HOLDS).toBeGreaterThan(0));

/** A database of the release before, with one appointment of each status from ten o’clock on, one an hour. */
async function withEarlierData(work: (client: Client, url: string) => Promise<void>): Promise<void> {
  const { url, drop } = await createTestDatabase(migrations.slice(0, WITH_HOLDS), 'scheduling');
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    await client.query(`
      insert into booking_settings (tenant_id, booking_policy, slot_step_minutes, minimum_notice_minutes) values (1, 'open', 15, 0);
      insert into services (tenant_id, name, duration_minutes, price_minor, currency, buffer_before_minutes, buffer_after_minutes)
        values (1, 'Haircut', 60, 4550, 'EUR', 0, 0);
      insert into customers (tenant_id, id, version) values (1, 7, 1);`);
    for (const [index, status] of ['scheduled', 'completed', 'cancelled', 'no_show'].entries())
      await client.query(insertAt(10 + index, status));
    await work(client, url);
  } finally {
    await client.end();
    await drop();
  }
}

/** As 0.1.0 books. */
const insertAt = (hour: number, status = 'scheduled') => `
  insert into appointments (tenant_id, customer_id, service_id, starts_at, ends_at, occupied, local_date, timezone, duration_minutes,
    buffer_before_minutes, buffer_after_minutes, price_minor, currency, status, source, cancelled_at)
  select 1, 7, id, '2031-06-02 ${hour}:00Z', '2031-06-02 ${hour}:59Z', tstzrange('2031-06-02 ${hour}:00Z', '2031-06-02 ${hour}:59Z'),
    '2031-06-02', 'UTC', 59, 0, 0, 4550, 'EUR', '${status}', 'api', ${status === 'cancelled' ? 'now()' : 'null'}
  from services where tenant_id = 1
  on conflict on constraint appointments_no_overlap do nothing
  returning id`;

const bookedAt = async (client: Client, hour: number) => (await client.query(insertAt(hour))).rows.length;
const isOn = async (client: Client) => (await client.query('select is_on from holds_setting')).rows;

it('a system that has businesses holds nothing until its operator says so, and keeps what it has', async () => {
  await withEarlierData(async (client, url) => {
    const before = (await client.query('select * from appointments order by id')).rows;
    await migrate({ url, migrations, logger });
    expect(await isOn(client)).toEqual([{ is_on: false }]);
    const after = (await client.query('select * from appointments order by id')).rows;
    expect(after).toEqual(before.map((row) => ({ ...row, held_until: null, holder: null })));
    // Two are taken and two are free, for processes of the release before too.
    const booked = [];
    for (const hour of [10, 11, 12, 13]) booked.push(await bookedAt(client, hour));
    expect(booked).toEqual([0, 0, 1, 1]);
  });
});

it('what is held is taken for the release before, too, and what has ended is not', async () => {
  await withEarlierData(async (client, url) => {
    await migrate({ url, migrations, logger });
    const hold = (status: string) =>
      client.query(
        `update appointments set status = $1, customer_id = null, held_until = now(), holder = 'key:1' where status = 'scheduled'`,
        [status],
      );
    await hold('held');
    expect(await bookedAt(client, 10)).toBe(0);
    await client.query(`update appointments set status = 'expired' where status = 'held'`);
    expect(await bookedAt(client, 10)).toBe(1);
  });
});

it('an appointment has a customer, and a hold an end', async () => {
  await withEarlierData(async (client, url) => {
    await migrate({ url, migrations, logger });
    for (const change of [
      'customer_id = null',
      `status = 'held'`,
      `status = 'held', customer_id = null`,
      `status = 'expired', held_until = now()`,
    ])
      await expect(
        client.query(`update appointments set ${change} where status = 'scheduled'`),
      ).rejects.toMatchObject({ code: '23514' });
  });
});

it('a new system holds places at once', async () => {
  const { url, drop } = await createTestDatabase(migrations, 'scheduling');
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    expect(await isOn(client)).toEqual([{ is_on: true }]);
  } finally {
    await client.end();
    await drop();
  }
});
