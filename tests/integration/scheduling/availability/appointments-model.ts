import type { AppointmentStatus } from '@frontdesk/contracts';
import { type WallClock, wallAt } from '../wall-clock.ts';
import { type BookingModel, type Held, ITSELF, type Wanted } from './booking-model.ts';
import type { RandomBusiness, Terms } from './random-business.ts';

export interface ModelAppointment extends Held {
  id: number;
  service: number;
  status: AppointmentStatus;
  notes: string | null;
  version: number;
}

/** What a PATCH may say; services and staff by their place in the business. */
export interface ModelPatch {
  date?: string | undefined;
  time?: string | undefined;
  service?: number | undefined;
  staff?: number | null | undefined;
  status?: AppointmentStatus | undefined;
  notes?: string | null | undefined;
}

/** A place that is held: until it is booked, given back or over. */
export interface ModelHold extends Held {
  id: number;
  service: number;
  state: 'open' | 'booked' | 'ended';
}

export type Outcome =
  | { status: 409 | 422; fields: string[] }
  /** The record afterwards, but for the choice of staff: any of these; it is no change where the choice is `unchangedFor`. */
  | { status: 200 | 201; record: Omit<ModelAppointment, 'id'>; anyOf: number[]; unchangedFor?: number };

const REFUSED = { status: 409 as const, fields: ['appointment_time'] };

const takes = (status: AppointmentStatus) => status === 'scheduled' || status === 'completed';

/** What the appointments of a business are after each request, by the decisions. Nothing here knows of the code. */
export function appointmentsModel(business: RandomBusiness, clock: WallClock, model: BookingModel) {
  const appointments: ModelAppointment[] = [];
  const kept: ModelHold[] = [];
  /** What each service is booked on from now on. */
  const terms: Terms[] = [...business.services];
  const heldBut = (except: ModelAppointment | null): Held[] => [
    ...appointments.filter((other) => other !== except && takes(other.status)),
    ...kept.filter(({ state }) => state === 'open'),
  ];

  function book(wish: Omit<Wanted, 'terms'>): Outcome {
    const agreed = terms[wish.service] as Terms;
    const answer = model.expected({ ...wish, terms: agreed }, heldBut(null));
    if (answer.status === 409) return REFUSED;
    if (answer.status === 422) return answer;
    const { startsAt, anyOf } = answer;
    const record = { resource: anyOf[0] as number, startsAt, terms: agreed, service: wish.service };
    return { status: 201, record: { ...record, status: 'scheduled', notes: null, version: 1 }, anyOf };
  }

  function change(before: ModelAppointment, patch: ModelPatch): Outcome {
    const [date, time] = wallAt(before.startsAt, clock.timezone).split('T') as [string, string];
    const current = {
      date,
      time,
      service: before.service,
      staff: before.resource === ITSELF ? null : before.resource,
    };
    const wish = {
      date: patch.date ?? date,
      time: patch.time ?? time,
      service: patch.service ?? before.service,
      staff: patch.staff === undefined ? current.staff : patch.staff,
    };
    const status = patch.status ?? before.status;
    const notes = patch.notes === undefined ? before.notes : patch.notes;
    const isMoved = JSON.stringify(wish) !== JSON.stringify(current);
    const isChanged = isMoved || status !== before.status || notes !== before.notes;
    const version = before.version + (isChanged ? 1 : 0);
    const kept = { ...before, status, notes, version };
    if (!isMoved) {
      const comesBack = !takes(before.status) && takes(status);
      if (comesBack && !model.isFree(before.resource, before.startsAt, before.terms, heldBut(before)))
        return REFUSED;
      return { status: 200, record: kept, anyOf: [before.resource] };
    }
    // Another time or another staff member keeps the terms agreed on; another service brings its own.
    const agreed = wish.service === before.service ? before.terms : (terms[wish.service] as Terms);
    const answer = model.expected({ ...wish, terms: agreed }, heldBut(before), { holds: takes(status) });
    if (answer.status === 409) return REFUSED;
    if (answer.status === 422) return answer;
    const { startsAt, anyOf } = answer;
    const record = { ...kept, startsAt, terms: agreed, service: wish.service };
    const isOnlyStaff =
      JSON.stringify({ ...wish, staff: current.staff }) === JSON.stringify(current) &&
      status === before.status &&
      notes === before.notes;
    return { status: 200, record, anyOf, ...(isOnlyStaff && { unchangedFor: before.resource }) };
  }

  /** What making it an appointment answers. */
  const bookHold = ({ state, resource, startsAt, terms: agreed, service }: ModelHold): Outcome =>
    state === 'open'
      ? {
          status: 201,
          record: {
            resource,
            startsAt,
            terms: agreed,
            service,
            status: 'scheduled',
            notes: null,
            version: 1,
          },
          anyOf: [resource],
        }
      : { status: 409, fields: [] };

  return { appointments, holds: kept, terms, book, change, bookHold };
}

export type AppointmentsModel = ReturnType<typeof appointmentsModel>;
