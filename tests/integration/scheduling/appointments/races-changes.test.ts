import { PLAN_QUOTAS } from '@frontdesk/contracts';
import { systemSql } from '@frontdesk/database';
import { Client } from 'pg';
import { eventually } from '../../../support/index.ts';
import { atOnce, statusCounts, statusesOf, withStatus } from '../answers.ts';
import { heldAmong, overlapsAmong, storedAppointments } from '../appointments-table.ts';
import { type Answer, MONDAY, openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';
import { hhmm } from '../wall-clock.ts';
import { type BusyShop, busyShop } from './busy-shop.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

/** What holds do: some are booked, some given back, and of some the time is over when somebody books their place. */
function holdsOf(shop: BusyShop) {
  const held = async (then: (id: number, place: object) => Promise<Answer>) => {
    const place = shop.randomWish();
    const answer = await shop.hold(place);
    return answer.status === 201 ? then(answer.body.data.id, place) : answer;
  };
  return [
    () => held((id) => shop.bookHold(id)),
    () => held((id) => shop.release(id)),
    () =>
      held(async (id, place) => {
        await shop.letExpire(id);
        return shop.book(place);
      }),
    () =>
      held(async (id) => {
        const [booked] = await Promise.all([shop.bookHold(id), shop.letExpire(id), shop.release(id)]);
        return booked;
      }),
    () => shop.changeHours(),
  ];
}

/** 240 requests at once, of every kind, to the appointments of one shop. */
async function raceChanges(at: SchedulingWorld, shop: BusyShop, { withHolds = false } = {}) {
  const { random, staffIds } = shop;
  await atOnce(60, () => shop.book(shop.randomWish()));
  const ids = (await storedAppointments(at, shop.tenantId)).map(({ id }) => id);
  const some = () => ids[random(ids.length)] as number;
  const anything = [
    () => shop.book(shop.randomWish()),
    () => shop.change(some(), shop.randomStart()),
    () => shop.change(some(), { ...shop.randomWish(), staff_id: null, status: 'scheduled' }),
    () => shop.change(some(), { staff_id: staffIds[random(staffIds.length)] }),
    () => shop.cancel(some()),
    () => shop.setStatus(some(), 'no_show'),
    () => shop.setStatus(some(), 'scheduled'),
    () => shop.setStatus(some(), 'completed'),
    () => shop.changeTerms(),
    () => shop.slots(),
    ...(withHolds ? holdsOf(shop) : []),
  ];
  const answers = await atOnce(240, () => (anything[random(anything.length)] as () => Promise<Answer>)());
  return { answers, ids };
}

describe('bookings, moves, cancellations, returns and changes of terms that race', () => {
  it.each([1, 3])(
    'with %i to perform them: nothing overlaps, nothing fails but by a clash',
    async (staffCount) => {
      const shop = await busyShop(world, staffCount);
      const { answers, ids } = await raceChanges(world, shop);
      expect(statusesOf(answers)).toEqual(new Set([200, 201, 409]));

      const rows = await storedAppointments(world, shop.tenantId);
      expect(heldAmong(rows).length).toBeGreaterThan(staffCount);
      expect(overlapsAmong(rows)).toEqual([]);
      expect(rows).toHaveLength(ids.length + withStatus(answers, 201).length);
      // One event for each version that any record ever had.
      expect(await shop.eventTypes()).toHaveLength(rows.reduce((sum, { version }) => sum + version, 0));
    },
  );

  it.each([
    [1, 'open'],
    [3, 'slots_only'],
  ] as const)(
    'with holds among them, and closing days, for %i who take %s: the same',
    async (staffCount, policy) => {
      const shop = await busyShop(world, staffCount, { policy });
      const { answers, ids } = await raceChanges(world, shop, { withHolds: true });
      for (const { status, body } of answers) {
        if (status === 409) expect(['slot_unavailable', 'hold_expired', 'hold_booked']).toContain(body.code);
        else if (status === 422)
          expect(body.code).toBe('errors' in body ? 'validation_failed' : 'quota_exceeded');
        else expect([200, 201]).toContain(status);
      }
      const rows = await storedAppointments(world, shop.tenantId);
      expect(overlapsAmong(rows)).toEqual([]);
      const booked = withStatus(answers, 201).filter(({ body }) => body.data.customer_id !== undefined);
      const appointments = rows.filter(({ status }) => status !== 'held' && status !== 'expired');
      expect(appointments).toHaveLength(ids.length + booked.length);
      expect(rows.length).toBeGreaterThan(appointments.length);
      const versions = appointments.reduce((sum, { version }) => sum + version, 0);
      expect(await shop.eventTypes()).toHaveLength(versions);
    },
  );

  it('eight that move to one time and leave the choice of staff open all find somebody', async () => {
    const shop = await busyShop(world, 8);
    const booked = await atOnce(8, (index) => shop.book({ appointment_time: hhmm(540 + index * 60) }));
    const answers = await Promise.all(
      booked.map(({ body }) =>
        shop.change(body.data.id, {
          staff_id: null,
          appointment_date: '2031-06-03',
          appointment_time: '10:00',
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map(({ body }) => body.data.staff_id))).toEqual(new Set(shop.staffIds));
  });

  it('of eight that move to one slot of one person, one gets it', async () => {
    const salon = await openSalon(world);
    const ids = await bookOnEightDays(salon);
    const answers = await atOnce(8, (index) =>
      salon.change(ids[index] as number, { appointment_date: MONDAY }),
    );
    expect(statusCounts(answers)).toEqual({ 200: 1, 409: 7 });
  });

  it('two that swap places both answer, and end with different people', async () => {
    const salon = await openSalon(world);
    const one = (await salon.book({ staff_id: salon.anna })).body.data;
    const other = (await salon.book({ staff_id: salon.ben })).body.data;
    const answers = await Promise.all([
      salon.change(one.id, { staff_id: salon.ben }),
      salon.change(other.id, { staff_id: salon.anna }),
    ]);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    const rows = await storedAppointments(world, salon.tenantId);
    expect(new Set(rows.map(({ resource_id }) => resource_id))).toEqual(new Set([salon.anna, salon.ben]));
  });

  it('of ten that want their lost slot back, five for each of two appointments, one appointment gets it', async () => {
    const salon = await openSalon(world);
    const cancelled = async () => {
      const { id } = (await salon.book({ staff_id: salon.anna })).body.data;
      await salon.cancel(id);
      return id as number;
    };
    const ids = [await cancelled(), await cancelled()];
    const answers = await atOnce(10, (index) => salon.setStatus(ids[index % 2] as number, 'scheduled'));
    expect(new Set(withStatus(answers, 200).map(({ body }) => body.data.id)).size).toBe(1);
    expect(statusesOf(answers)).toEqual(new Set([200, 409]));
    expect((await salon.eventTypes()).filter((type) => type === 'appointment.updated')).toHaveLength(1);
  });

  it('ten that cancel one appointment cancel it once', async () => {
    const salon = await openSalon(world);
    const { id } = (await salon.book()).body.data;
    const answers = await atOnce(10, () => salon.cancel(id));
    expect(statusesOf(answers)).toEqual(new Set([200]));
    expect(await salon.eventTypes()).toEqual(['appointment.created', 'appointment.cancelled']);
  });
});

/** Two transactions that each wait for the other's advisory lock, until PostgreSQL ends one of them. */
async function provokeDeadlock(url: string): Promise<void> {
  const clients = [new Client({ connectionString: url }), new Client({ connectionString: url })];
  await Promise.all(clients.map((client) => client.connect()));
  const lock = (client: Client, key: number) => client.query('select pg_advisory_xact_lock($1)', [key]);
  try {
    for (const [index, client] of clients.entries()) {
      await client.query('begin');
      await lock(client, index);
    }
    const outcomes = await Promise.allSettled(clients.map((client, index) => lock(client, 1 - index)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

describe('races of every kind', () => {
  it('never end in a deadlock: the only one that PostgreSQL counts is one of our own', async () => {
    const alone = await startScheduling();
    try {
      // So near its quota that each booking is counted, one after the other.
      const quotas = { ...PLAN_QUOTAS.starter, appointments_per_day: 900 };
      await raceChanges(alone, await busyShop(alone, 3, { quotas }), { withHolds: true });
      await raceMovesToOnePlace(alone);
      await raceForEndedHolds(alone);
      // What a connection has counted is seen once it has ended, which the server does by itself.
      for (const component of alone.service.components)
        if (component.name === 'database') await component.stop?.();
      await eventually(async () =>
        expect(await alone.database.system.one(otherConnections)).toEqual({ count: 0 }),
      );
      await provokeDeadlock(alone.config.DATABASE_URL);
      const deadlocks = async () => {
        const [row] = await alone.database.system.many(deadlocksCounted);
        return Number(row?.deadlocks);
      };
      await eventually(async () => expect(await deadlocks()).toBeGreaterThanOrEqual(1));
      expect(await deadlocks()).toBe(1);
    } finally {
      await alone.stop();
    }
  });
});

const deadlocksCounted = systemSql<{ deadlocks: number }>(
  'test_deadlocks',
  'select deadlocks from pg_stat_database where datname = current_database()',
);

const otherConnections = systemSql<{ count: number }>(
  'test_other_connections',
  `select count(*) from pg_stat_activity
   where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
);

/** Eight appointments of Anna's, each alone on its day. */
async function bookOnEightDays(salon: Awaited<ReturnType<typeof openSalon>>): Promise<number[]> {
  const booked = await atOnce(8, (index) =>
    salon.book({ staff_id: salon.anna, appointment_date: `2031-08-0${index + 1}` }),
  );
  return booked.map(({ body }) => body.data.id);
}

/** Time and again some move to the place of a hold whose time is over, while others book it. */
async function raceForEndedHolds(at: SchedulingWorld): Promise<void> {
  const salon = await openSalon(at);
  const ids = await bookOnEightDays(salon);
  for (let day = 10; day < 30; day += 1) {
    const place = { staff_id: salon.anna, appointment_date: `2032-01-${day}` };
    for (const appointment_time of ['09:30', '10:30']) await salon.hold({ ...place, appointment_time });
    await salon.letExpire();
    const answers = await atOnce(16, (index) =>
      index % 2 === 0 ? salon.change(ids[index / 2] as number, place) : salon.book(place),
    );
    expect(withStatus(answers, 409)).toHaveLength(15);
  }
}

/** Time and again they all move to one slot of another day. */
async function raceMovesToOnePlace(at: SchedulingWorld): Promise<void> {
  const salon = await openSalon(at);
  const ids = await bookOnEightDays(salon);
  for (let day = 10; day < 30; day += 1) {
    const answers = await atOnce(8, (index) =>
      salon.change(ids[index] as number, { appointment_date: `2032-01-${day}` }),
    );
    expect(statusCounts(answers)).toEqual({ 200: 1, 409: 7 });
  }
}
