import { clockIn, shortDay, weekdayAndDay } from '../region/dates.rules.ts';
import type { Region } from '../region/region.rules.ts';
import type { Column } from './chart.rules.ts';

const HOUR_LABEL_EVERY = 4;
const DAY_LABEL_EVERY = 3;

/** Hours of the last day as columns, each from when it began on the business's clocks. */
export const hourColumns = (hours: readonly { starts_at: string }[], region: Region): Column[] =>
  hours.map(({ starts_at }, index) => {
    const clock = clockIn(region, starts_at);
    const back = hours.length - 1 - index;
    return {
      name: back === 0 ? `This hour, from ${clock}` : `From ${clock}`,
      isMarked: back === 0,
      ...(back % HOUR_LABEL_EVERY === 0 && { label: clock }),
    };
  });

/** Days as columns. @param today its place among them @param labelEvery how many of them share a label */
export const dayColumns = (
  region: Region,
  days: readonly { date: string }[],
  today: number,
  labelEvery = DAY_LABEL_EVERY,
): Column[] =>
  days.map(({ date }, index) => ({
    name: index === today ? `Today, ${weekdayAndDay(region, date)}` : weekdayAndDay(region, date),
    isMarked: index === today,
    ...((index - today) % labelEvery === 0 && {
      label: index === today ? 'Today' : shortDay(region, date),
    }),
  }));
