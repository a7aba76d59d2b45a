import { PLAN_QUOTAS, type Quotas } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import { createMetrics, startComponents } from '@frontdesk/service';
import { buildScheduling } from '../../../../services/scheduling/src/app.ts';
import { eventually, lockWaits, logger, operator, withinOneWindow } from '../../../support/index.ts';
import { signedRequests } from '../../../support/signed-requests.ts';
import { atOnce, statusCounts, withStatus } from '../answers.ts';
import { exported } from '../business-documents.ts';
import { ALL_DAY, everyDay, MONDAY, openBusinessOf } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

const DAY_SECONDS = 86_400;
const inOneDay = (name: string, test: () => Promise<void>) =>
  it(name, () => withinOneWindow(DAY_SECONDS, test));

const preload = systemSql<never, { tenantId: number; created: number }>(
  'test_preload_created',
  `insert into counts (tenant_id, counter, delta)
   values ($tenantId, 'created/' || to_char(now() at time zone 'utc', 'YYYY-MM-DD'), $created)`,
);

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterAll(() => world.stop());

/** A business that is open all day with thirty people, so that nobody is refused for want of time. */
async function openShop(quotas: Partial<Quotas>) {
  const tenantId = world.newTenant({ plan: 'starter', quotas: { ...PLAN_QUOTAS.enterprise, ...quotas } });
  const hours = everyDay(ALL_DAY);
  const staff = Array.from({ length: 30 }, (_, nth) => ({
    name: `Person ${nth}`,
    services: ['Trim'],
    hours,
  }));
  const services = [{ name: 'Trim', duration_minutes: 30, price: 20 }];
  const shop = await openBusinessOf(world, { services, staff }, tenantId);
  let nth = 0;
  const nextWish = () => {
    nth += 1;
    const minutes = 30 * (Math.floor(nth / 30) % 48);
    const time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
    return { appointment_time: time, staff_id: shop.staffIds[nth % 30] };
  };
  const byAdmin = (fields: object = nextWish()) =>
    world.send(
      'internal',
      { issuer: 'settings-ui', role: 'admin', tenantId },
      { method: 'POST', url: `/internal/tenants/${tenantId}/appointments`, body: shop.wish(fields) },
    );
  const usage = async () =>
    (
      await world.send(
        'internal',
        { issuer: 'operator', role: 'operator' },
        {
          method: 'GET',
          url: `/internal/tenants/${tenantId}/quota-usage`,
        },
      )
    ).body.data.appointments_per_day;
  return { ...shop, tenantId, nextWish, byAdmin, usage, bookNext: () => shop.book(nextWish()) };
}

describe('the quota of appointments created in a UTC day', () => {
  inOneDay(
    '422: of twenty booked at once by programs and pages for the last place one is booked',
    async () => {
      const shop = await openShop({ appointments_per_day: 3 });
      expect([(await shop.bookNext()).status, (await shop.byAdmin()).status]).toEqual([201, 201]);
      const answers = await atOnce(20, (nth) => (nth % 2 === 0 ? shop.bookNext() : shop.byAdmin()));
      expect(statusCounts(answers)).toEqual({ 201: 1, 422: 19 });
      expect(withStatus(answers, 422)[0]?.body).toMatchObject({
        code: 'quota_exceeded',
        message: 'Your plan allows 3 new appointments per day, and there are 3.',
      });
      expect(await shop.usage()).toBe(3);
      expect(await shop.eventTypes()).toHaveLength(3);
    },
  );

  inOneDay('a cancelled one stays counted; those that are there may be moved and cancelled', async () => {
    const shop = await openShop({ appointments_per_day: 1 });
    const { id } = (await shop.bookNext()).body.data;
    expect((await shop.change(id, { appointment_time: '12:00' })).status).toBe(200);
    expect((await shop.cancel(id)).status).toBe(200);
    expect((await shop.bookNext()).body.code).toBe('quota_exceeded');
    expect((await shop.setStatus(id, 'scheduled')).status).toBe(200);
    // What is wrong with a request is said first.
    expect((await shop.book({ service_id: 999 })).body.code).toBe('validation_failed');
  });

  inOneDay('an Idempotency-Key repeats the first answer above the quota', async () => {
    const shop = await openShop({ appointments_per_day: 1 });
    const [wish, key] = [shop.nextWish(), { 'idempotency-key': 'first' }];
    const first = await shop.book(wish, key);
    const again = await shop.book(wish, key);
    expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([
      201,
      'true',
      first.body,
    ]);
    expect((await shop.bookNext()).status).toBe(422);
  });

  inOneDay('an Idempotency-Key that was refused for it books on the next day', async () => {
    const shop = await openShop({ appointments_per_day: 1 });
    expect((await shop.bookNext()).status).toBe(201);
    const [wish, key] = [shop.nextWish(), { 'idempotency-key': 'second' }];
    for (let nth = 0; nth < 2; nth += 1) {
      const refused = await shop.book(wish, key);
      expect([refused.status, refused.body.code]).toEqual([422, 'quota_exceeded']);
      expect(refused.headers).not.toHaveProperty('idempotent-replayed');
    }
    await world.sql(
      shop.tenantId,
      `update counts set counter = 'created/' || to_char(now() at time zone 'utc' - interval '1 day', 'YYYY-MM-DD')
       where tenant_id = $tenantId and counter like 'created/%'`,
    );
    const booked = await shop.book(wish, key);
    expect(booked.status).toBe(201);
    expect((await shop.book(wish, key)).body).toEqual(booked.body);
    // A refusal that does not end by itself is kept.
    const wrong = { 'idempotency-key': 'wrong' };
    await shop.book({ service_id: 999 }, wrong);
    expect((await shop.book({ service_id: 999 }, wrong)).headers['idempotent-replayed']).toBe('true');
  });

  inOneDay('a booking that is refused counts for nothing', async () => {
    const shop = await openShop({ appointments_per_day: 2 });
    const wish = shop.nextWish();
    expect((await shop.book(wish)).status).toBe(201);
    for (let nth = 0; nth < 3; nth += 1) expect((await shop.book(wish)).status).toBe(409);
    expect([(await shop.bookNext()).status, (await shop.bookNext()).status]).toEqual([201, 422]);
  });

  inOneDay('two processes never pass it, also where both remember the business as far from it', async () => {
    const allowed = 2_050;
    const shop = await openShop({ appointments_per_day: allowed });
    const other = await buildScheduling(world.config, { logger, metrics: createMetrics() });
    const running = await startComponents(
      other.components.filter(({ name }) => name === 'database'),
      logger,
    );
    const requests = signedRequests('scheduling');
    const integrator = { issuer: 'gateway', role: 'integrator', tenantId: shop.tenantId } as const;
    const bookAtOther = () =>
      requests.send(other.api, integrator, {
        method: 'POST',
        url: '/api/v1/appointments',
        body: shop.wish(shop.nextWish()),
      });
    await world.database.system.run(preload, { tenantId: shop.tenantId, created: 1_040 });
    expect(statusCounts([await shop.bookNext(), await bookAtOther()])).toEqual({ 201: 2 });
    for (let nth = 0; nth < 20; nth += 1) expect((await shop.bookNext()).status).toBe(201);
    await world.database.system.run(preload, {
      tenantId: shop.tenantId,
      created: allowed - 3 - (await shop.usage()),
    });
    expect(statusCounts(await atOnce(20, shop.bookNext))).toEqual({ 201: 3, 422: 17 });
    // The other still remembers that it was far.
    for (let nth = 0; nth < 6; nth += 1) expect((await bookAtOther()).body.code).toBe('quota_exceeded');
    expect(await shop.usage()).toBe(allowed);
    await running.stop();
  });

  inOneDay('far from it a booking waits for no other of the business', async () => {
    const shop = await openShop({});
    // From now on its customer is known here.
    await shop.bookNext();
    const held = await holdPlace(shop);
    // Waits for the place that a transaction of somebody else holds.
    const waiting = shop.book(held.wish);
    await held.untilSomebodyWaits();
    expect(statusCounts(await atOnce(10, shop.bookNext))).toEqual({ 201: 10 });
    await held.release();
    expect((await waiting).status).toBe(201);
  });
});

describe('a business that stores too much', () => {
  it('422: adds no appointments, staff and services; every change goes on', async () => {
    const shop = await openShop({});
    const { id } = (await shop.book({ ...shop.nextWish(), notes: 'Short.' })).body.data;
    await world.sql(shop.tenantId, 'update tenants set storage_full = true where tenant_id = $tenantId');
    await eventually(async () => expect((await shop.bookNext()).body.code).toBe('quota_exceeded'));
    expect((await shop.byAdmin()).body.code).toBe('quota_exceeded');
    const add = (records: string, body: object) =>
      world.send('internal', operator, {
        method: 'POST',
        url: `/internal/tenants/${shop.tenantId}/${records}`,
        body,
      });
    expect((await add('staff', { name: 'New' })).body.code).toBe('quota_exceeded');
    expect((await add('services', { name: 'New', duration_minutes: 30, price: 1 })).body.code).toBe(
      'quota_exceeded',
    );
    const document = await exported(world, shop.tenantId);
    const [service, member] = [document.services[0], document.staff[0]];
    const importing = async (changes: object) =>
      (await world.importBusiness(shop.tenantId, { ...document, ...changes })).body;
    expect(await importing({ services: [{ ...service, name: 'New' }] })).toMatchObject({
      code: 'quota_exceeded',
    });
    expect(await importing({ staff: [{ ...member, name: 'New' }] })).toMatchObject({
      code: 'quota_exceeded',
    });
    expect(await importing({ services: [{ ...service, price: 25 }] })).toMatchObject({ success: true });
    const longer = { notes: 'Short, and then more.', appointment_time: '20:00' };
    expect((await shop.change(id, longer)).status).toBe(200);
    expect((await shop.setStatus(id, 'completed')).status).toBe(200);
    expect((await shop.cancel(id)).status).toBe(200);
  });
});

/** Takes a place in a transaction that doesn't end yet. */
async function holdPlace(shop: Awaited<ReturnType<typeof openShop>>) {
  const wish = shop.nextWish();
  const { Client } = world.database;
  const client = new Client({ connectionString: world.database.url });
  await client.connect();
  await client.query('begin');
  await client.query(
    `insert into appointments (tenant_id, staff_id, occupied, service_id, starts_at, ends_at, local_date, timezone,
       duration_minutes, buffer_before_minutes, buffer_after_minutes, price_minor, currency, customer_id, source, status)
     values ($1, $2, tstzrange($3, $4), $5, $3, $4, $6, 'Europe/Berlin', 1440, 0, 0, 0, 'EUR', $7, 'api', 'scheduled')`,
    [
      ...[shop.tenantId, wish.staff_id, `${MONDAY}T00:00:00+02:00`, `${MONDAY}T23:59:00+02:00`],
      ...[shop.serviceIds[0], MONDAY, shop.customer],
    ],
  );
  return {
    wish,
    untilSomebodyWaits: () =>
      eventually(async () => expect((await lockWaits(world.database)).all).toBeGreaterThan(0)),
    async release() {
      await client.query('rollback');
      await client.end();
    },
  };
}
