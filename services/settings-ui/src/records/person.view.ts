import type { StaffColor } from '@frontdesk/contracts';
import { type Html, html } from '../ui/html.ts';
import { colorOf, type DayPerson, initialsOf, type Person, pictureAddress } from './person.rules.ts';

/** Whose colour a part of a page is in: staff-colors.css has the colours. */
export const inColor = (color: StaffColor): Html => html` data-color="${color}"`;

/** The colour of a column of a day; none for the business itself. */
export const inColorOf = (column: DayPerson): Html | false => {
  const person = personOf(column);
  return person !== null && inColor(colorOf(person));
};

export const personOf = ({ staff_id, name, color, picture_version }: DayPerson): Person | null =>
  staff_id === null ? null : { id: staff_id, name: name ?? '', color, picture_version };

/** Beside a name, which says who it is: the picture, or the initials in the person's colour. */
export function face(person: Person | null): Html | false {
  if (person === null) return false;
  const { id, name, picture_version } = person;
  const look = html`class="face"${inColor(colorOf(person))}`;
  return typeof picture_version === 'number'
    ? html`<img ${look} src="${pictureAddress(id, picture_version)}" alt="" width="28" height="28">`
    : html`<span ${look} aria-hidden="true">${initialsOf(name)}</span>`;
}
