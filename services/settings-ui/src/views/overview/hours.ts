import { clockIn } from '../../domain/dates.ts';
import type { Column } from '../shared/charts/chart.ts';

const LABEL_EVERY = 4;

/** Hours of the last day as columns, each from when it began on the business's clocks. */
export const hourColumns = (hours: readonly { starts_at: string }[], zone: string): Column[] =>
  hours.map(({ starts_at }, index) => {
    const clock = clockIn(zone, starts_at);
    const back = hours.length - 1 - index;
    return {
      name: back === 0 ? `This hour, from ${clock}` : `From ${clock}`,
      isMarked: back === 0,
      ...(back % LABEL_EVERY === 0 && { label: clock }),
    };
  });
