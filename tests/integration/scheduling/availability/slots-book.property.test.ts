import type { Slot } from '@frontdesk/contracts';
import fc from 'fast-check';
import { type Answer, changeSettings } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';
import { hhmm, MINUTE_MS, wallClock } from '../wall-clock.ts';
import { bookingModel, type Held, ITSELF, type Wanted } from './booking-model.ts';
import {
  inTime,
  type OpenBusiness,
  openBusiness,
  PROPERTY_TIMEOUT_MS,
  type RandomBusiness,
  randomBusiness,
} from './random-business.ts';

jest.setTimeout(PROPERTY_TIMEOUT_MS);

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterEach(() => jest.restoreAllMocks());
afterAll(() => world.stop());

const AT_ONCE = 40;
const EVERY_MINUTE = Array.from({ length: 1_440 }, (_, minute) => hhmm(minute));

const someone = fc.option(fc.nat({ max: 3 }), { freq: 2 });

/** A business, what is booked there already, and when it is asked for which service with whom. */
const questions = fc.record({
  business: randomBusiness(['slots_only'], true),
  nowMinute: fc.integer({ min: -3_000, max: 900 }),
  service: fc.nat({ max: 2 }),
  staff: someone,
  booked: fc.array(
    fc.record({ minute: fc.integer({ min: 0, max: 1_439 }), service: fc.nat({ max: 2 }), staff: someone }),
    { minLength: 2, maxLength: 10, size: 'max' },
  ),
  offGrid: fc.array(fc.integer({ min: 0, max: 1_439 }), { minLength: 20, maxLength: 20 }),
});

type Question = typeof questions extends fc.Arbitrary<infer Asked> ? Asked : never;

/** The business of a question, with what is booked there, and the model of it. */
async function open(question: Question) {
  const { business } = question;
  const salon = await openBusiness(world, business);
  const clock = wallClock(business.timezone, business.date, 4);
  const now = clock.firstReaching(`${business.date}T00:00`) + question.nowMinute * MINUTE_MS;
  jest.spyOn(Date, 'now').mockReturnValue(now);

  const service = question.service % business.services.length;
  const staff = staffOf(business, question.staff, service);
  const held: Held[] = [];
  await changeSettings(world, salon.tenantId, { booking_policy: 'open' });
  for (const { minute, service: index, staff: member } of question.booked) {
    const place = index % business.services.length;
    const { status, body } = await salon.book({
      service_id: salon.serviceIds[place],
      staff_id: idOf(salon, staffOf(business, member, place)),
      appointment_date: business.date,
      appointment_time: hhmm(minute),
    });
    if (status !== 201) continue;
    const terms = business.services[place] as Held['terms'];
    const resource = body.data.staff_id === null ? ITSELF : salon.staffIds.indexOf(body.data.staff_id);
    held.push({ resource, startsAt: Date.parse(body.data.starts_at), terms });
  }
  await changeSettings(world, salon.tenantId, { booking_policy: 'slots_only' });

  const model = bookingModel(business, clock, () => now);
  const wanted = (time: string): Wanted => ({
    date: business.date,
    time,
    service,
    staff,
    terms: business.services[service] as Held['terms'],
  });
  const { serviceIds } = salon;
  return {
    salon,
    /** Staff ids who the model says are free at a time; null: it can't be had even without the appointments. */
    freeAt: (time: string) =>
      model.freeAt(wanted(time), held)?.map((resource) => idOf(salon, resource) ?? null) ?? null,
    async slots(): Promise<Slot[]> {
      const { status, body } = await salon.slots({
        date: business.date,
        service_id: serviceIds[service],
        staff_id: idOf(salon, staff),
      });
      expect(status).toBe(200);
      return body.data;
    },
    bookAt: (time: string, staffId = idOf(salon, staff)) =>
      salon.book({
        service_id: serviceIds[service],
        appointment_date: business.date,
        appointment_time: time,
        staff_id: staffId,
      }),
  };
}

/** Somebody who performs the service, if anybody is asked for. */
function staffOf(business: RandomBusiness, member: number | null, service: number): number | null {
  const able = [...business.staff.keys()].filter((index) =>
    business.staff[index]?.performs.includes(service),
  );
  return member === null || able.length === 0 ? null : (able[member % able.length] as number);
}

function idOf(salon: OpenBusiness, resource: number | null): number | undefined {
  return resource === null || resource === ITSELF ? undefined : salon.staffIds[resource];
}

type Opened = Awaited<ReturnType<typeof open>>;

/** Of times that are not listed: 409 where only a clash stands in the way, else 422. */
async function expectRefusals({ bookAt, freeAt }: Opened, times: string[]): Promise<void> {
  const answers: [string, Answer][] = [];
  // Not all at once: a request that waits too long for a connection gets 503.
  for (let from = 0; from < times.length; from += AT_ONCE)
    answers.push(
      ...(await Promise.all(
        times
          .slice(from, from + AT_ONCE)
          .map(async (time): Promise<[string, Answer]> => [time, await bookAt(time)]),
      )),
    );
  const seen = answers.map(([time, { status, body }]) => [time, status, Object.keys(body.errors ?? {})]);
  expect(seen).toEqual(times.map((time) => [time, freeAt(time) === null ? 422 : 409, ['appointment_time']]));
}

describe('slots of any business', () => {
  it('are those of the slow model, with everyone who is free; each books, and nothing else does', async () => {
    const seen = { slots: 0, taken: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(questions, fc.nat(), async (question, pick) => {
        const business = await open(question);
        const free = EVERY_MINUTE.map((time) => [time, business.freeAt(time)] as const);
        const listed = await business.slots();
        expect(listed.map(({ time, staff_ids }) => [time, staff_ids])).toEqual(
          free.flatMap(([time, ids]) => (ids?.length ? [[time, ids.filter((id) => id !== null)]] : [])),
        );

        const times = new Set(listed.map(({ time }) => time));
        const offGrid = new Set(question.offGrid.map(hhmm));
        const unlisted = free.filter(
          ([time, ids]) => !times.has(time) && (ids !== null || offGrid.has(time)),
        );
        await expectRefusals(
          business,
          unlisted.map(([time]) => time),
        );

        for (const slot of listed.filter((_, index) => (index + pick) % 4 === 0)) {
          const staffId = slot.staff_ids[pick % (slot.staff_ids.length + 1)];
          const { status, body } = await business.bookAt(slot.time, staffId);
          expect([slot.time, status]).toEqual([slot.time, 201]);
          expect(body.data).toMatchObject({
            appointment_date: slot.date,
            appointment_time: slot.time,
            end_time: slot.end_time,
            starts_at: slot.starts_at,
            ends_at: slot.ends_at,
          });
          expect(staffId === undefined ? [null, ...slot.staff_ids] : [staffId]).toContain(body.data.staff_id);
          await business.salon.cancel(body.data.id);
        }
        expect(await business.slots()).toEqual(listed);
        seen.slots += listed.length;
        seen.taken += unlisted.filter(([, ids]) => ids !== null).length;
        seen.refused += unlisted.length;
      }),
      { numRuns: 40, ...inTime },
    );
    // None of the above was said of nothing.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10);
  });

  it('409 or 422 for every minute of a day that is not listed: 409 where only a clash stands in the way', async () => {
    await fc.assert(
      fc.asyncProperty(
        questions.filter(({ business, booked }) => business.staff.length >= 2 && booked.length >= 4),
        async (question) => {
          const business = await open(question);
          const times = new Set((await business.slots()).map(({ time }) => time));
          await expectRefusals(
            business,
            EVERY_MINUTE.filter((time) => !times.has(time)),
          );
        },
      ),
      { numRuns: 2, ...inTime },
    );
  });
});
