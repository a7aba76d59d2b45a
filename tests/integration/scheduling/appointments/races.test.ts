import { atOnce, statusesOf, withStatus } from '../answers.ts';
import { overlapsAmong, storedAppointments } from '../appointments-table.ts';
import { type Answer, openSalon } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';
import { busyShop } from './busy-shop.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterEach(() => jest.restoreAllMocks());
afterAll(() => world.stop());

describe('50 that race for one slot', () => {
  it('201 for one; 409 on appointment_time for 49, each with five alternatives that are really free', async () => {
    const salon = await openSalon(world);
    const answers = await atOnce(50, () => salon.book({ staff_id: salon.anna }));
    expect(withStatus(answers, 201)).toHaveLength(1);
    const lost = withStatus(answers, 409);
    expect(lost).toHaveLength(49);

    const { body: free } = await salon.slots({ staff_id: salon.anna });
    for (const { body } of lost) {
      expect(body).toMatchObject({ success: false, code: 'slot_unavailable' });
      expect(Object.keys(body.errors)).toEqual(['appointment_time']);
      expect(body.data.alternatives).toHaveLength(5);
      expect(free.data).toEqual(expect.arrayContaining(body.data.alternatives));
    }
    const [alternative] = lost[0]?.body.data.alternatives ?? [];
    const { date: appointment_date, time: appointment_time, staff_id } = alternative;
    expect((await salon.book({ appointment_date, appointment_time, staff_id })).status).toBe(201);
    expect(await salon.eventTypes()).toEqual(['appointment.created', 'appointment.created']);
  });

  it('without a wish for somebody, 20 fill everyone who performs the service, once', async () => {
    const salon = await openSalon(world);
    const answers = await atOnce(20, () => salon.book());
    const won = withStatus(answers, 201).map(({ body }) => body.data.staff_id);
    expect(won).toHaveLength(2);
    expect(new Set(won)).toEqual(new Set([salon.anna, salon.ben]));
    expect(withStatus(answers, 409)).toHaveLength(18);
  });
});

describe('200 that race with overlapping starts and durations', () => {
  it.each([
    ['for one staff member', 1],
    ['for any free one of three', 3],
  ])(
    '%s: none overlap, and what was answered with 201 is what the table holds',
    async (_name, staffCount) => {
      const shop = await busyShop(world, staffCount);
      const answers = await atOnce(200, () => shop.book(shop.randomWish()));
      expect(statusesOf(answers)).toEqual(new Set([201, 409]));

      const rows = await storedAppointments(world, shop.tenantId);
      const booked = withStatus(answers, 201).map(({ body }) => body.data.id as number);
      expect(rows.map(({ id }) => id)).toEqual(booked.sort((a, b) => a - b));
      expect(booked.length).toBeGreaterThanOrEqual(staffCount * 3);
      expect(overlapsAmong(rows)).toEqual([]);
      expect(new Set(rows.map(({ resource_id }) => resource_id))).toEqual(new Set(shop.staffIds));
      expect(await shop.eventTypes()).toHaveLength(booked.length);
    },
  );
});

const isReplay = ({ headers }: Answer) => headers['idempotent-replayed'] === 'true';

describe('20 duplicate requests with one Idempotency-Key', () => {
  // None of them waits for too long, however long that takes.
  beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(Date.now()));

  it('make one appointment; each of them gets it, 19 as a replay', async () => {
    const salon = await openSalon(world);
    const answers = await atOnce(20, () => salon.book({}, { 'idempotency-key': 'twin' }));
    expect(statusesOf(answers)).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(new Set(answers.map(({ headers }) => `${headers.etag} ${headers.location}`)).size).toBe(1);
    expect(answers.filter(isReplay)).toHaveLength(19);
    expect(await storedAppointments(world, salon.tenantId)).toHaveLength(1);
    expect(await salon.eventTypes()).toEqual(['appointment.created']);
  });

  it('422 for those with another body than the one that is booked', async () => {
    const salon = await openSalon(world);
    const answers = await atOnce(20, (index) =>
      salon.book({ appointment_time: index % 2 === 0 ? '10:00' : '14:00' }, { 'idempotency-key': 'two' }),
    );
    const first = answers.find(({ status }) => status === 201)?.body.data;
    const winners = answers.filter(
      (_, index) => (index % 2 === 0 ? '10:00' : '14:00') === first.appointment_time,
    );
    expect(new Set(winners.map(({ status, body }) => `${status} ${body.data?.id}`))).toEqual(
      new Set([`201 ${first.id}`]),
    );
    for (const { body } of withStatus(answers, 422))
      expect(Object.keys(body.errors)).toEqual(['Idempotency-Key']);
    expect(withStatus(answers, 422)).toHaveLength(10);
    expect(await storedAppointments(world, salon.tenantId)).toHaveLength(1);
  });

  it('of a booking that is refused are all refused alike', async () => {
    const salon = await openSalon(world);
    await salon.book({ staff_id: salon.anna });
    const key = { 'idempotency-key': 'refused' };
    const answers = await atOnce(20, () => salon.book({ staff_id: salon.anna }, key));
    expect(statusesOf(answers)).toEqual(new Set([409]));
    const bodies = answers.map(({ body }) => JSON.stringify([body.code, body.data]));
    expect(new Set(bodies).size).toBe(1);
    expect(answers.filter(isReplay)).toHaveLength(19);
  });
});
