import type { Day } from '@frontdesk/contracts';
import { hoursOf } from '../booking/day-plot.rules.ts';
import type { Html } from '../ui/html.ts';
import { notice } from '../ui/notice.view.ts';

export const NAMES_AWAY: Html = notice(
  'waiting',
  `Customer names can’t be shown right now,
only customer numbers.`,
  { role: 'status' },
);

/** That the day is longer or shorter than others. */
export function hoursNotice(day: Day, name: string): Html | false {
  const hours = hoursOf(day);
  return (
    hours !== 24 && hours > 0 && notice('waiting', `The clocks change on ${name}: it has ${hours} hours.`)
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
