import type { CalendarRecord, WorkingHours } from '@frontdesk/contracts';
import type { Region } from '../region/region.rules.ts';
import type { Html } from '../ui/html.ts';
import type { FormState } from '../ui/page-context.ts';
import type { ShownConflicts } from './conflicts.rules.ts';
import type { DraftWeek, Weekday } from './hours-draft.rules.ts';

/** What people have entered and not saved, or what was wrong with it. */
export interface CalendarEntries {
  hours?: { form: FormState; draft?: DraftWeek; addedTo?: Weekday | undefined };
  exception?: FormState;
  timeOff?: FormState;
}

export interface CalendarCards {
  region: Region;
  /** Below which address its forms are sent. */
  base: string;
  /** Of whom; null: the business itself. */
  name: string | null;
  /** Null where scheduling can't say in time. */
  calendar: { record: CalendarRecord; etag: string } | null;
  /** The business's own day. */
  today: string;
  /** The date whose hours are to be changed. */
  editedDate?: string | undefined;
  entries: CalendarEntries;
  /** Appointments that don't fit; null where scheduling is away. */
  conflicts: ShownConflicts | null;
  /** The business's hours, of a staff member who follows them. */
  followed?: { opening: WorkingHours | null } | undefined;
  /** Said above the weekly hours. */
  note?: Html | false;
  /** Without hours it is all the same: nobody works by them. */
  isUnused?: boolean;
}

/** What the forms for dates need; without the existing entries where scheduling is away. */
export type DateForm = Pick<CalendarOptions, 'base' | 'name' | 'region'> &
  Partial<Pick<CalendarOptions, 'record' | 'etag' | 'editedDate'>>;

export interface CalendarOptions extends CalendarCards {
  record: CalendarRecord;
  etag: string;
}
