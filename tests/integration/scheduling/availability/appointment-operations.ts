import { APPOINTMENT_STATUSES } from '@frontdesk/contracts';
import fc from 'fast-check';
import { heldAmong, overlapsAmong, storedAppointments } from '../appointments-table.ts';
import type { Answer } from '../salon.ts';
import type { SchedulingWorld } from '../scheduling-world.ts';
import { hhmm, MINUTE_MS, plusDays, wallAt, wallClock } from '../wall-clock.ts';
import {
  type AppointmentsModel,
  appointmentsModel,
  type ModelAppointment,
  type ModelPatch,
  type Outcome,
} from './appointments-model.ts';
import { bookingModel, ITSELF, occupiedBy } from './booking-model.ts';
import { type OpenBusiness, openBusiness, type RandomBusiness, someTerms } from './random-business.ts';

const place = fc.nat({ max: 11 });
/** Mostly close together, so that they clash; some at the ends of the day and where clocks change. */
const time = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 15 }).map((count) => hhmm(540 + count * 10)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('00:00', '01:30', '02:15', '02:45', '03:30', '12:07', '23:30', '23:59'),
  },
);
const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const status = fc.constantFrom(...APPOINTMENT_STATUSES);

export const bookings = fc.record({
  kind: fc.constant('book' as const),
  day: fc.nat({ max: 1 }),
  time,
  service: place,
  staff: fc.option(place, { freq: 2 }),
});

export const operations = fc.oneof(
  { weight: 4, arbitrary: bookings },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      which: place,
      day: optional(fc.nat({ max: 1 })),
      time: optional(time),
      service: optional(place),
      staff: optional(fc.option(place)),
      status: fc.option(status, { nil: undefined, freq: 3 }),
      notes: optional(fc.constantFrom('a', 'b', null)),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('status' as const), which: place, status }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which: place }) },
  {
    weight: 4,
    arbitrary: bookings.map((booking) => ({ ...booking, kind: 'hold' as const })),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('end hold' as const),
      by: fc.constantFrom('book hold' as const, 'release' as const, 'expire' as const),
      which: place,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('terms' as const), service: place, terms: someTerms }),
  },
);

type Operation = typeof operations extends fc.Arbitrary<infer One> ? One : never;

/** A business that is run twice: by the service, and by the model. */
export async function openTwice(world: SchedulingWorld, business: RandomBusiness) {
  const salon = await openBusiness(world, business);
  const clock = wallClock(business.timezone, business.date, 4);
  const model = appointmentsModel(business, clock, bookingModel(business, clock, Date.now));
  return { business, salon, model };
}

type OpenedTwice = Awaited<ReturnType<typeof openTwice>>;

/** Does it to the service and to the model, expects the same answer of both, and says what that was. */
export async function perform(opened: OpenedTwice, operation: Operation): Promise<string> {
  const { business, salon, model } = opened;
  if (operation.kind === 'terms') {
    const index = operation.service % business.services.length;
    await salon.changeTerms(index, operation.terms);
    model.terms[index] = operation.terms;
    return 'terms';
  }
  if (operation.kind === 'book' || operation.kind === 'hold') {
    const wish = {
      date: plusDays(business.date, operation.day),
      time: operation.time,
      service: serviceOf(business, operation.service),
      staff: staffOf(business, operation.staff),
    };
    if (operation.kind === 'hold') return hold(opened, wish);
    const answer = await salon.book(bodyOf(salon, wish));
    const record = expectSame(salon, model.book(wish), answer);
    if (record) model.appointments.push(record);
    return `book ${answer.status}`;
  }
  if (operation.kind === 'end hold') return endHold(opened, operation);
  const appointment = model.appointments[operation.which % model.appointments.length];
  if (appointment === undefined) return 'nothing';
  const [patch, answer] = await changeBy(opened, appointment.id, operation);
  const record = expectSame(salon, model.change(appointment, patch), answer);
  if (record) Object.assign(appointment, record);
  return `${operation.kind} ${answer.status}`;
}

async function hold({ salon, model }: OpenedTwice, wish: Parameters<typeof model.book>[0]): Promise<string> {
  const outcome = model.book(wish);
  const { status, body } = await salon.hold(bodyOf(salon, wish));
  if ('fields' in outcome) {
    expect([status, Object.keys(body.errors ?? {})]).toEqual([outcome.status, outcome.fields]);
    return `hold ${status}`;
  }
  expect([status, body.errors]).toEqual([201, undefined]);
  const resource = body.data.staff_id === null ? ITSELF : salon.staffIds.indexOf(body.data.staff_id);
  expect(outcome.anyOf).toContain(resource);
  const { startsAt, terms, service } = outcome.record;
  model.holds.push({ id: body.data.id, resource, startsAt, terms, service, state: 'open' });
  return `hold ${status}`;
}

/** Books one of the holds, gives it back, or lets its time be over. */
async function endHold(
  { salon, model }: OpenedTwice,
  { by, which }: { by: 'book hold' | 'release' | 'expire'; which: number },
): Promise<string> {
  const held = model.holds[which % model.holds.length];
  if (held === undefined) return 'nothing';
  if (by === 'book hold') {
    const answer = await salon.bookHold(held.id);
    if (held.state === 'booked') {
      expect([answer.status, answer.body.data.id]).toEqual([200, held.id]);
      return 'book hold 200';
    }
    const record = expectSame(salon, model.bookHold(held), answer);
    if (record === null) return 'book hold 409';
    model.appointments.push(record);
    held.state = 'booked';
    return 'book hold 201';
  }
  if (by === 'expire') await salon.letExpire(held.id);
  else {
    const { status, body } = await salon.release(held.id);
    expect([status, body.data?.status ?? body.code]).toEqual(
      held.state === 'booked' ? [409, 'hold_booked'] : [200, 'expired'],
    );
  }
  if (held.state === 'open') held.state = 'ended';
  return by;
}

async function changeBy(
  { business, salon }: OpenedTwice,
  id: number,
  operation: Extract<Operation, { kind: 'change' | 'status' | 'cancel' }>,
): Promise<[ModelPatch, Answer]> {
  if (operation.kind === 'cancel') return [{ status: 'cancelled' }, await salon.cancel(id)];
  if (operation.kind === 'status') {
    const { status } = operation;
    return [{ status }, await salon.setStatus(id, status)];
  }
  const { time, status, notes } = operation;
  const patch = {
    date: unlessUndefined(operation.day, (day) => plusDays(business.date, day)),
    service: unlessUndefined(operation.service, (drawn) => serviceOf(business, drawn)),
    staff: unlessUndefined(operation.staff, (drawn) => staffOf(business, drawn)),
    time,
    status,
    notes,
  };
  return [patch, await salon.change(id, bodyOf(salon, patch))];
}

/** Whatever was drawn, as something that this business has. */
const serviceOf = ({ services }: RandomBusiness, drawn: number) => drawn % services.length;
const staffOf = ({ staff }: RandomBusiness, drawn: number | null) =>
  drawn === null || staff.length === 0 ? null : drawn % staff.length;
const unlessUndefined = <Drawn, Value>(drawn: Drawn | undefined, asValue: (drawn: Drawn) => Value) =>
  drawn === undefined ? undefined : asValue(drawn);

function bodyOf(salon: OpenBusiness, { date, time, service, staff, status, notes }: ModelPatch): object {
  const fields = {
    appointment_date: date,
    appointment_time: time,
    status,
    notes,
    service_id: service === undefined ? undefined : salon.serviceIds[service],
    staff_id: staff === undefined || staff === null ? staff : salon.staffIds[staff],
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The record as the model keeps it, where there is one. */
function expectSame(salon: OpenBusiness, outcome: Outcome, answer: Answer): ModelAppointment | null {
  const { status, headers, body } = answer;
  if ('fields' in outcome) {
    expect([status, Object.keys(body.errors ?? {})]).toEqual([outcome.status, outcome.fields]);
    return null;
  }
  expect([status, body.errors]).toEqual([outcome.status, undefined]);
  const resource = body.data.staff_id === null ? ITSELF : salon.staffIds.indexOf(body.data.staff_id);
  expect(outcome.anyOf).toContain(resource);
  const version = outcome.record.version - (resource === outcome.unchangedFor ? 1 : 0);
  const record = { ...outcome.record, resource, version, id: body.data.id as number };
  expect(headers.etag).toBe(`"${record.version}"`);
  expect(shownOf(body.data)).toEqual(expectedView(salon, record));
  return record;
}

function expectedView(salon: OpenBusiness, record: ModelAppointment) {
  const [appointment_date, appointment_time] = wallAt(record.startsAt, salon.timezone).split('T');
  const { duration_minutes } = record.terms;
  const endsAt = record.startsAt + duration_minutes * MINUTE_MS;
  return {
    id: record.id,
    appointment_date,
    appointment_time,
    duration_minutes,
    end_time: wallAt(endsAt, salon.timezone).slice(11),
    startsAt: record.startsAt,
    endsAt,
    service_id: salon.serviceIds[record.service],
    status: record.status,
    notes: record.notes,
    isCancelled: record.status === 'cancelled',
  };
}

function shownOf(data: Record<string, string | number | null>) {
  const { id, appointment_date, appointment_time, end_time, duration_minutes, service_id, status, notes } =
    data;
  return {
    id,
    appointment_date,
    appointment_time,
    duration_minutes,
    end_time,
    service_id,
    status,
    notes,
    startsAt: Date.parse(String(data.starts_at)),
    endsAt: Date.parse(String(data.ends_at)),
    isCancelled: data.cancelled_at !== null,
  };
}

/** Reads the table itself: it holds what the model holds, and nobody is in two places at once. */
export async function expectTable(
  world: SchedulingWorld,
  {
    salon,
    model,
  }: {
    salon: OpenBusiness;
    model: AppointmentsModel;
  },
): Promise<number> {
  const all = await storedAppointments(world, salon.tenantId);
  const rows = all.filter(({ status }) => status !== 'held' && status !== 'expired');
  const stored = model.appointments
    .map((record) => ({
      id: record.id,
      status: record.status,
      version: record.version,
      resource_id: record.resource === ITSELF ? 0 : (salon.staffIds[record.resource] as number),
      ...occupiedBy(record),
    }))
    .sort((a, b) => a.id - b.id);
  expect(rows).toEqual(stored);
  expect(overlapsAmong(all)).toEqual([]);
  return heldAmong(rows).length;
}
