import { type Day, type DayAppointment, NEARLY_USED, type OpenHolds } from '@frontdesk/contracts';
import { appointmentsOn } from '../booking/day-plot.rules.ts';
import { arrivedAt } from '../records/arrival.rules.ts';
import type { QuotaUse } from '../records/quota-use.rules.ts';

export type NearlyFullQuota = Omit<QuotaUse, 'isNearlyFull'>;

/** Whether the open holds are near their limit. */
export const isNearlyFull = ({ open, allowed }: OpenHolds): boolean => open >= NEARLY_USED * allowed;

/** How long an appointment that nobody has marked stays among those of now: people pay, and say goodbye. */
const LINGERS_MS = 3_600_000;

export interface Agenda {
  /** Those that are on or still to come, and those that have just ended without a mark. */
  coming: DayAppointment[];
  /** Those that were marked, and those that are over. */
  earlier: DayAppointment[];
  /** How many of the earlier ones nobody has marked. */
  unmarked: number;
}

/** The appointments of a day as the desk works through them, each list by start. Cancelled ones are left out. */
export function agendaOf(day: Day, now: number): Agenda {
  const all = day.columns
    .flatMap((column) => appointmentsOn(day, column, false))
    .toSorted((a, b) => Date.parse(a.starts_at) - Date.parse(b.starts_at) || a.id - b.id);
  const isComing = ({ status, ends_at }: DayAppointment) =>
    status === 'scheduled' && Date.parse(ends_at) + LINGERS_MS > now;
  const earlier = all.filter((appointment) => !isComing(appointment));
  return {
    coming: all.filter(isComing),
    earlier,
    unmarked: earlier.filter(({ status }) => status === 'scheduled').length,
  };
}

/** How an appointment stands at a moment of its day. */
type AgendaState = 'to_come' | 'arrived' | 'now' | 'unmarked' | 'completed' | 'no_show' | 'cancelled';

export function stateAt(
  appointment: Pick<DayAppointment, 'status' | 'starts_at' | 'ends_at' | 'arrived_at'>,
  now: number,
): AgendaState {
  const { status, starts_at, ends_at } = appointment;
  if (status !== 'scheduled') return status;
  if (arrivedAt(appointment) !== null) return 'arrived';
  if (Date.parse(starts_at) > now) return 'to_come';
  return Date.parse(ends_at) > now ? 'now' : 'unmarked';
}
