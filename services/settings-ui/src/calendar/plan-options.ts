import type { Day, DayColumn } from '@frontdesk/contracts';
import type { Stretch } from '../booking/day-plot.rules.ts';
import type { Region } from '../region/region.rules.ts';
import type { Html } from '../ui/html.ts';

/** A person's day in a plan. */
export interface PlanColumn {
  /** Begins the ids of what it holds. */
  key: string;
  /** What tells it from the others. */
  label: string;
  head: Html;
  day: Day;
  column: DayColumn;
  /** What is drawn of the day: as many hours as of the others. */
  range: Stretch;
  /** The name of whose day it is. */
  who: string;
}

export interface PlanOptions {
  region: Region;
  /** By id; null where crm can't say. */
  customers: ReadonlyMap<number, string> | null;
  showsCancelled: boolean;
  now: number;
  /** Not while the business is suspended. */
  canBook: boolean;
}
