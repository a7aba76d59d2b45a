import { type AppointmentStatus, WEEKDAYS } from '@frontdesk/contracts';
import { FIRST_LEAD } from './customers.ts';
import type { DemoBusiness } from './demo-business.ts';
import { createRandom, type Random } from './random.ts';

/** An appointment by the names and positions that the demo data knows; ids come when it is booked. */
export interface PlannedAppointment {
  customer: number;
  service: string;
  staff: string;
  date: string;
  time: string;
  status: AppointmentStatus;
  notes: string | null;
}

const DAYS_BACK = 35;
const DAYS_AHEAD = 14;
/** Share of the spans of working time that get an appointment. */
const DEMAND = 0.4;
const GRID_MINUTES = 15;

/** Weeks of appointments around today, each within its staff member's hours and none touching another. */
export function planAppointments(business: DemoBusiness, today: Temporal.PlainDate): PlannedAppointment[] {
  const random = createRandom(business.seed + 1);
  const planned: PlannedAppointment[] = [];
  for (let day = -DAYS_BACK; day <= DAYS_AHEAD; day += 1) {
    const date = today.add({ days: day });
    if (isSpecial(business, date.toString())) continue;
    for (const staff of business.document.staff) {
      const weekday = WEEKDAYS[date.dayOfWeek - 1];
      const spans = (weekday && staff.hours?.[weekday]) ?? [];
      for (const span of spans) {
        if (!random.chance(DEMAND)) continue;
        const found = within(span, staff.services, business, random);
        if (!found) continue;
        planned.push({
          customer: random.below(FIRST_LEAD),
          ...found,
          staff: staff.name,
          date: date.toString(),
          status: statusOf(day, random),
          notes: random.chance(0.1) ? 'Booked by phone.' : null,
        });
      }
    }
  }
  return planned;
}

/** Whether the business is closed that day, or has other hours than usual. */
function isSpecial({ document }: DemoBusiness, date: string): boolean {
  const { exceptions = [], time_off = [] } = document;
  const midnight = `${date}T00:00`;
  return (
    exceptions.some((exception) => exception.date === date) ||
    time_off.some(({ start, end }) => start <= midnight && midnight < end)
  );
}

/** A service that fits into the span, and a start on the grid. */
function within(
  span: { start: string; end: string },
  services: readonly string[],
  business: DemoBusiness,
  random: Random,
): { service: string; time: string } | null {
  const service = random.pick(services);
  const duration = business.document.services.find(({ name }) => name === service)?.duration_minutes ?? 0;
  const spare = minutesOf(span.end) - minutesOf(span.start) - duration;
  if (spare < 0) return null;
  const start = minutesOf(span.start) + GRID_MINUTES * random.below(Math.floor(spare / GRID_MINUTES) + 1);
  return { service, time: timeOf(start) };
}

/** What became of it: most of the past took place, some coming ones are called off. */
function statusOf(day: number, random: Random): AppointmentStatus {
  const draw = random.below(100);
  if (day >= 0) return draw < 8 ? 'cancelled' : 'scheduled';
  if (draw < 80) return 'completed';
  return draw < 90 ? 'cancelled' : 'no_show';
}

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const timeOf = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
