import { withStatus } from './answers.ts';
import { asOperator, salonToRun } from './as-operator.ts';
import { imported } from './business-documents.ts';
import { type Answer, openBusinessOf } from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

/** Ten book, one of them has an answer, somebody deactivates, and ten more book. */
async function amidBookings<Result>(
  book: (index: number) => Promise<Answer>,
  deactivate: () => Promise<Result>,
) {
  const tenFrom = (first: number) => Array.from({ length: 10 }, (_, index) => book(first + index));
  const earlier = tenFrom(0);
  await Promise.race(earlier);
  const deactivation = deactivate();
  const bookings = await Promise.all([...earlier, ...tenFrom(10)]);
  return { bookings, booked: withStatus(bookings, 201).length, answer: await deactivation };
}

const onDay = (index: number) => ({ appointment_date: `2031-07-${index + 10}` });

describe.each([
  ['PATCH', { is_active: false }],
  ['DELETE', undefined],
] as const)('%s while twenty are booking', (method, patch) => {
  it('a service: answers exactly the appointments that stay, none is booked after it', async () => {
    const { tenantId, serviceIds, book } = await openBusinessOf(world, {
      services: [{ name: 'Cut', duration_minutes: 30, price: 45.5 }],
      staff: Array.from({ length: 20 }, (_, index) => ({ name: `S${index}`, services: ['Cut'] })),
    });
    const send = asOperator(world, tenantId);
    const path = `/services/${serviceIds[0]}`;
    const { booked, answer } = await amidBookings(
      () => book(),
      () => send(method, path, patch),
    );
    expect([answer.status, answer.body.data.coming_appointments]).toEqual([200, booked]);
    if (method === 'PATCH') expect((await send('GET', path)).body.data).toEqual(answer.body.data);
  });

  it('somebody: answers exactly the appointments that stay, none is booked after it', async () => {
    const { send, anna, book } = await salonToRun(world);
    const path = `/staff/${anna}`;
    const { booked, answer } = await amidBookings(
      (index) => book({ staff_id: anna, ...onDay(index) }),
      () => send(method, path, patch),
    );
    expect([answer.status, answer.body.data.coming_appointments]).toEqual([200, booked]);
    if (method === 'PATCH') expect((await send('GET', path)).body.data).toEqual(answer.body.data);
  });
});

describe('an import that deactivates somebody while twenty are booking', () => {
  it('leaves the appointments that stay, and none is booked after it', async () => {
    const { tenantId, send, anna, book } = await salonToRun(world);
    const { bookings, booked } = await amidBookings(
      (index) => book({ staff_id: anna, ...onDay(index) }),
      () => imported(world, tenantId, { staff: [{ name: 'Anna', services: ['Haircut'], is_active: false }] }),
    );
    expect((await send('GET', `/staff/${anna}`)).body.data.coming_appointments).toBe(booked);
    expect(booked + withStatus(bookings, 422).length).toBe(bookings.length);
  });
});

it('PATCH of the services somebody performs while twenty are booking: none of the others is booked with them after it', async () => {
  const { send, anna, beardTrim, book } = await salonToRun(world);
  const { booked, answer } = await amidBookings(
    (index) => book({ staff_id: anna, ...onDay(index) }),
    () => send('PATCH', `/staff/${anna}`, { service_ids: [beardTrim] }),
  );
  expect([answer.status, answer.body.data.coming_appointments]).toEqual([200, booked]);
  expect((await send('GET', `/staff/${anna}`)).body.data).toEqual(answer.body.data);
});
