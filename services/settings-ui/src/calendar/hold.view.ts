import type { DayHold } from '@frontdesk/contracts';
import { placeOf, stretchOf } from '../booking/day-plot.rules.ts';
import { span } from '../records/appointment-words.view.ts';
import { clockIn } from '../region/dates.rules.ts';
import type { Region } from '../region/region.rules.ts';
import { type Html, html } from '../ui/html.ts';
import type { PlanColumn } from './plan-options.ts';
import { acrossOf, type Lane, ONE_LINE, TWO_LINES } from './tile.rules.ts';

/** Nobody is booked: it is an appointment by then, or free again. */
export const heldUntil = (region: Region, { expires_at }: DayHold): string =>
  `Held until ${clockIn(region, expires_at)}`;

/** All that is to be known of it, beginning with when it is. */
export const holdWords = (region: Region, hold: DayHold): string =>
  `${span(region, hold)} ${heldUntil(region, hold)}, ${hold.service_name}`;

/** What is held, drawn where it lies. It leads nowhere, as there is nothing to see of it. */
export function holdTile(
  hold: DayHold,
  lane: Lane,
  { key, range }: PlanColumn,
  { region }: { region: Region },
): Html | null {
  const place = placeOf(stretchOf(hold), range);
  if (!place) return null;
  const { top, height } = place;
  const { x, width } = acrossOf(lane);
  return html`<g id="${key}-held${hold.id}" class="held" role="img"><title>${holdWords(region, hold)}</title>
<foreignObject x="${x}%" y="${top}" width="${width}%" height="${height}" aria-hidden="true"><span class="tile hatched${height < TWO_LINES && ' one'}">
${lines(hold, height, region)}</span></foreignObject></g>`;
}

function lines(hold: DayHold, height: number, region: Region): Html | false {
  if (height < ONE_LINE) return false;
  const held = heldUntil(region, hold);
  return height < TWO_LINES
    ? html`<b><span>${held} · ${hold.service_name}</span></b>`
    : html`<b><span>${held}</span></b><span>${hold.service_name}</span>`;
}
