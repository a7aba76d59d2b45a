import { withStatus } from '../answers.ts';
import { asOperator, salonToRun } from '../as-operator.ts';
import { imported } from '../business-documents.ts';
import { type Answer, type BookedSalon, openBusinessOf, openSalon, salonWithAppointment } from '../salon.ts';
import { type SchedulingWorld, startScheduling } from '../scheduling-world.ts';

let world: SchedulingWorld;
beforeAll(async () => {
  world = await startScheduling();
});
afterAll(() => world.stop());

describe('who or what is deactivated', () => {
  async function salonThatCloses(path: (salon: BookedSalon) => string) {
    const salon = await salonWithAppointment(world);
    const answer = await asOperator(world, salon.tenantId)('PATCH', path(salon), { is_active: false });
    expect(answer.status).toBe(200);
    return { ...salon, booked: salon.appointment };
  }

  it('404 for staff: offered and booked no more; what is booked with them stays and can end', async () => {
    const salon = await salonThatCloses(({ anna }) => `/staff/${anna}`);
    const { tenantId, booked } = salon;
    expect((await world.api(tenantId, 'GET', `/staff/${salon.anna}`)).status).toBe(404);
    const named = await salon.book({ staff_id: salon.anna, appointment_time: '14:00' });
    expect(named.body.errors).toEqual({ staff_id: ['The selected staff_id is invalid.'] });
    const offered: { staff_ids: number[] }[] = (await salon.slots()).body.data;
    expect(new Set(offered.flatMap(({ staff_ids }) => staff_ids))).toEqual(new Set([salon.ben]));
    expect((await world.api(tenantId, 'GET', `/appointments/${booked.id}`)).body.data).toEqual(booked);
    expect((await salon.setStatus(booked.id, 'completed')).status).toBe(200);
    expect((await salon.cancel(booked.id)).status).toBe(200);
  });

  it('staff: nobody comes back to them; the past can still be put right', async () => {
    const salon = await salonThatCloses(({ anna }) => `/staff/${anna}`);
    await salon.cancel(salon.booked.id);
    const back = await salon.setStatus(salon.booked.id, 'scheduled');
    expect(back.status).toBe(409);
    const alternatives: { staff_ids: number[] }[] = back.body.data.alternatives;
    expect(new Set(alternatives.flatMap(({ staff_ids }) => staff_ids))).toEqual(new Set([salon.ben]));
    const handedOver = await salon.change(salon.booked.id, { status: 'scheduled', staff_id: null });
    expect([handedOver.status, handedOver.body.data.staff_id]).toEqual([200, salon.ben]);

    const send = asOperator(world, salon.tenantId);
    await send('PATCH', `/staff/${salon.anna}`, { is_active: true });
    const past = (await salon.book({ staff_id: salon.anna, appointment_date: '2024-05-06' })).body.data;
    await send('DELETE', `/staff/${salon.anna}`);
    expect((await salon.setStatus(past.id, 'no_show')).status).toBe(200);
    expect((await salon.setStatus(past.id, 'completed')).status).toBe(200);
  });

  it('staff who no longer perform the service: nothing of theirs is offered instead of a slot that is taken', async () => {
    const salon = await openSalon(world);
    const { id } = (await salon.book({ staff_id: salon.anna })).body.data;
    await salon.cancel(id);
    expect((await salon.book({ staff_id: salon.anna })).status).toBe(201);
    await world.sql(
      salon.tenantId,
      `delete from staff_services where tenant_id = $tenantId and staff_id = ${salon.anna} and service_id = ${salon.haircut}`,
    );
    const back = await salon.setStatus(id, 'scheduled');
    expect([back.status, back.body.data.alternatives]).toEqual([409, []]);
  });

  it('staff: an appointment of theirs moves on to somebody else', async () => {
    const salon = await salonThatCloses(({ anna }) => `/staff/${anna}`);
    const { status, body } = await salon.change(salon.booked.id, { staff_id: null });
    expect([status, body.data.staff_id]).toEqual([200, salon.ben]);
  });

  it('404 for a service: offered and booked no more; what is booked keeps its terms and can end', async () => {
    const salon = await salonThatCloses(({ haircut }) => `/services/${haircut}`);
    const { tenantId, booked } = salon;
    expect((await world.api(tenantId, 'GET', `/services/${salon.haircut}`)).status).toBe(404);
    const errors = { service_id: ['The selected service_id is invalid.'] };
    expect((await salon.book({ appointment_time: '14:00' })).body.errors).toEqual(errors);
    expect((await salon.slots()).body.errors).toEqual(errors);
    expect((await world.api(tenantId, 'GET', `/appointments/${booked.id}`)).body.data).toEqual(booked);
    expect((await salon.setStatus(booked.id, 'no_show')).status).toBe(200);
    expect((await salon.setStatus(booked.id, 'scheduled')).status).toBe(200);
    expect((await salon.cancel(booked.id)).status).toBe(200);
  });

  it('a service: an appointment of it moves to another time, on the terms agreed on', async () => {
    const salon = await salonThatCloses(({ haircut }) => `/services/${haircut}`);
    const { status, body } = await salon.change(salon.booked.id, { appointment_time: '15:00' });
    expect([status, body.data]).toEqual([
      200,
      expect.objectContaining({ appointment_time: '15:00', end_time: '16:00', price: 45.5 }),
    ]);
  });
});

describe('deactivation', () => {
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
        () =>
          imported(world, tenantId, { staff: [{ name: 'Anna', services: ['Haircut'], is_active: false }] }),
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
});
