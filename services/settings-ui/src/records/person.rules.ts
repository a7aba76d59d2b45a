import { type DayColumn, STAFF_COLORS, type StaffAdmin, type StaffColor } from '@frontdesk/contracts';

/** Of a staff member, what shows at a glance who it is. An earlier scheduling knows neither colours nor pictures. */
export type Person = Pick<StaffAdmin, 'id' | 'name' | 'color' | 'picture_version'>;

/** Somebody who has days in the calendar: a staff member, or the business itself (null). */
export type DayPerson = Pick<DayColumn, 'staff_id' | 'name' | 'is_active' | 'color' | 'picture_version'>;

/** Until somebody chooses another, colours go round by the id. */
export const colorOf = ({ id, color }: Pick<Person, 'id' | 'color'>): StaffColor =>
  color ?? (STAFF_COLORS[id % STAFF_COLORS.length] as StaffColor);

/** The first letters of the first and the last of somebody's names. */
export function initialsOf(name: string): string {
  const names = name.split(/\s+/).filter((part) => part !== '');
  const ends = names.length > 1 ? [names.at(0), names.at(-1)] : names;
  return ends.map((part) => firstOf(part ?? '').toUpperCase()).join('');
}

/** The first character, as people see it. */
const firstOf = (text: string): string => [...new Intl.Segmenter().segment(text)][0]?.segment ?? '';

export const pictureAddress = (id: number, version: number): string =>
  `/settings/business/staff/${id}/picture?v=${version}`;
