import { LAST_BOOKABLE, MAX_SLOT_DAYS, type Slot } from '@frontdesk/contracts';
import { AppError } from '@frontdesk/service';
import type { AppointmentsClient } from '../clients/appointments.client.ts';
import { addDays } from '../region/dates.rules.ts';
import type { By } from '../session/session.rules.ts';
import { type FreeDay, freeDays } from './free-times.rules.ts';

interface Asked {
  service_id: number;
  staff_id: number | undefined;
}

/** What a page shows of the free times. */
export interface NextFreeTimes {
  days: FreeDay[];
  /** The first day that was not looked at, or doesn't fit on the page; null beyond what can be booked. */
  next: string | null;
}

const SHOWN_DAYS = 3;
/** Days of each question. Most find enough in the first week; the others look as far as one answer may reach. */
const WINDOWS = [7, MAX_SLOT_DAYS - 7];

/** The next days with free times, from a date on. */
export async function findFreeTimes(
  appointments: Pick<AppointmentsClient, 'slots'>,
  by: By,
  asked: Asked,
  from: string,
): Promise<NextFreeTimes> {
  let date = from;
  for (const length of WINDOWS) {
    const looked = await slotsWithin(appointments, by, asked, { date, length });
    const days = freeDays(looked.slots);
    const last = days[SHOWN_DAYS - 1];
    if (last) return { days: days.slice(0, SHOWN_DAYS), next: unlessBeyond(addDays(last.date, 1)) };
    date = addDays(date, looked.length);
    if (days.length > 0 || date > LAST_BOOKABLE) return { days, next: unlessBeyond(date) };
  }
  return { days: [], next: unlessBeyond(date) };
}

const unlessBeyond = (date: string) => (date <= LAST_BOOKABLE ? date : null);

/** The free times of so many days; of one, where the business is too large for more at once. */
async function slotsWithin(
  { slots }: Pick<AppointmentsClient, 'slots'>,
  by: By,
  asked: Asked,
  { date, length }: { date: string; length: number },
): Promise<{ slots: Slot[]; length: number }> {
  const last = addDays(date, length - 1);
  try {
    const date_to = unlessBeyond(last) ?? LAST_BOOKABLE;
    return { slots: await slots(by, { ...asked, date, date_to }), length };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'too_much_asked') throw error;
    return { slots: await slots(by, { ...asked, date, date_to: undefined }), length: 1 };
  }
}
