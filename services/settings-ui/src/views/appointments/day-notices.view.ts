import type { Day } from '@frontdesk/contracts';
import { hoursOf } from '../../domain/appointments/day-plot.ts';
import { type Html, html } from '../shared/html.ts';

export const NAMES_AWAY: Html = html`<p class="notice waiting" role="status">Customer names can’t be shown right now, only customer numbers.</p>`;

/** That the day is longer or shorter than others. */
export function hoursNotice(day: Day, name: string): Html | false {
  const hours = hoursOf(day);
  return (
    hours !== 24 &&
    hours > 0 &&
    html`<p class="notice waiting">The clocks change on ${name}: it has ${hours} hours.</p>`
  );
}

/** Why nobody works, as far as somebody has noted it: ` (Whit Monday)`. */
export function reasons({ columns }: Pick<Day, 'columns'>): string {
  const notes = columns.flatMap(({ time_off, exception }) => [
    ...time_off.map(({ note }) => note),
    exception?.note,
  ]);
  const known = new Set(notes.filter((note) => note));
  return known.size > 0 ? ` (${[...known].join(', ')})` : '';
}
