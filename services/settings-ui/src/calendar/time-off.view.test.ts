import type { Day, DayColumn } from '@frontdesk/contracts';
import { blockLink } from './time-off.view.ts';

const DATE = '2031-06-02';
const at = (time: string, date = DATE) => `${date}T${time}:00Z`;
const column = {
  staff_id: 7,
  open: [
    { starts_at: at('09:00'), ends_at: at('12:00') },
    { starts_at: at('13:00'), ends_at: at('18:00') },
  ],
} as DayColumn;
const day = {
  date: DATE,
  timezone: 'UTC',
  starts_at: at('00:00'),
  ends_at: at('00:00', '2031-06-03'),
  columns: [column],
} as Day;

const linkAt = (now: string) =>
  String(
    blockLink(day, column, {
      canBook: true,
      now: Date.parse(now),
      region: { zone: 'UTC', country: 'DE' },
      who: 'Ada',
      whom: 'Ada',
    }),
  );

it('offers to block what is left of the working day, and nothing once that is over', () => {
  const timesOf = (link: string) => /data-from="([^"]*)" data-until="([^"]*)"/.exec(link)?.slice(1);
  expect(timesOf(linkAt(at('20:00', '2031-06-01')))).toEqual(['09:00', '18:00']);
  expect(timesOf(linkAt(at('12:30')))).toEqual(['13:00', '18:00']);
  expect(timesOf(linkAt(at('17:50')))).toEqual(['17:45', '18:00']);
  expect([linkAt(at('18:00')), linkAt(at('20:00'))]).toEqual(['false', 'false']);
});
