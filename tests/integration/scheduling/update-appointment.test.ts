import { salonWithAppointment } from './salon.ts';
import { type SchedulingWorld, startScheduling } from './scheduling-world.ts';

let world: SchedulingWorld;

beforeAll(async () => {
  world = await startScheduling();
});

afterAll(() => world.stop());

const salonToChange = () => salonWithAppointment(world, { notes: 'first' });

describe('PATCH /appointments/{id}', () => {
  it('half of a surrogate pair in the notes, sent twice, is one change', async () => {
    const salon = await salonToChange();
    const patch = { notes: 'a\ud800' };
    const first = await salon.change(salon.appointment.id, patch);
    const second = await salon.change(salon.appointment.id, patch);
    expect([first.headers.etag, second.headers.etag]).toEqual(['"2"', '"2"']);
    expect(second.body.data.notes).toBe('a\ufffd');
  });

  it('status goes along with other fields: cancelled by PATCH is the event appointment.cancelled', async () => {
    const salon = await salonToChange();
    const { body } = await salon.change(salon.appointment.id, { status: 'cancelled', notes: 'ill' });
    expect(body.data).toMatchObject({ status: 'cancelled', notes: 'ill', cancelled_at: expect.any(String) });
    expect(await salon.eventTypes()).toEqual(['appointment.created', 'appointment.cancelled']);
  });

  it.each([
    ['nothing', {}],
    ['an unknown field', { customer_id: 5 }],
    ['what is so already', { appointment_time: '10:00', notes: 'first', status: 'scheduled' }],
  ])('200 without an event for %s', async (_name, patch) => {
    const salon = await salonToChange();
    const { status, headers, body } = await salon.change(salon.appointment.id, patch);
    expect([status, headers.etag]).toEqual([200, '"1"']);
    expect(body.data).toEqual(salon.appointment);
    expect(await salon.eventTypes()).toEqual(['appointment.created']);
  });

  it('null clears the notes', async () => {
    const salon = await salonToChange();
    expect((await salon.change(salon.appointment.id, { notes: null })).body.data.notes).toBeNull();
  });

  it('422 on each field that names what the business does not have', async () => {
    const salon = await salonToChange();
    const { id } = salon.appointment;
    const errorsOf = async (patch: object) => (await salon.change(id, patch)).body.errors;
    expect(await errorsOf({ service_id: 999_999 })).toEqual({
      service_id: ['The selected service_id is invalid.'],
    });
    expect(await errorsOf({ staff_id: 999_999 })).toEqual({
      staff_id: ['The selected staff_id is invalid.'],
    });
    expect(await errorsOf({ staff_id: salon.ben, service_id: salon.beardTrim })).toEqual({
      staff_id: ['The selected staff_id does not perform this service.'],
    });
    expect(await errorsOf({ appointment_date: '2031-03-30', appointment_time: '02:30' })).toEqual({
      appointment_time: ['The appointment_time field does not exist on this date in Europe/Berlin.'],
    });
    expect(await salon.eventTypes()).toEqual(['appointment.created']);
  });
});
