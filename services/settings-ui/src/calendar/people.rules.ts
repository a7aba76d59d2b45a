import type { Day, DayColumn } from '@frontdesk/contracts';
import type { DayPerson } from '../records/person.rules.ts';

/** All who have one of the days, those who can be booked first. */
export function peopleOf(days: readonly Day[]): DayPerson[] {
  const all = days.flatMap(({ columns }) => columns);
  const byId = Map.groupBy(all, ({ staff_id }) => staff_id);
  return [...byId.values()]
    .flatMap(([column]) => column ?? [])
    .map(({ staff_id, name, is_active, color, picture_version }) => {
      return { staff_id, name, is_active, color, picture_version };
    })
    .sort((a, b) => Number(b.is_active) - Number(a.is_active));
}

/** Somebody's day; an empty one where they can't be booked and nothing is. */
export const columnOf = ({ columns }: Day, person: DayPerson): DayColumn =>
  columns.find(({ staff_id }) => staff_id === person.staff_id) ?? {
    ...person,
    is_active: false,
    open: [],
    time_off: [],
    exception: null,
    appointments: [],
  };
