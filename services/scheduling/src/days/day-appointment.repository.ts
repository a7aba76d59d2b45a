import { MAX_NOTES_EXCERPT, MAX_SHOWN_WITHOUT_SLOT } from '@frontdesk/contracts';
import { type TenantReads, tenantSql } from '@frontdesk/database';
import { DAY_MS } from '@frontdesk/local-time';
import {
  APPOINTMENT_COLUMNS,
  IS_APPOINTMENT,
  JOIN_NO_SHOWS,
} from '../appointments/appointment.repository.ts';
import type { DayAppointmentRow } from '../appointments/appointment.rules.ts';
import { KEPT_APART } from '../availability/busy.repository.ts';
import { HELD_TOUCHING } from '../holds/hold.repository.ts';
import type { Interval } from '../working-hours/interval.rules.ts';

interface DaysVersion {
  settings: number | null;
  services: number | null;
  staff: number | null;
  appointments: string | null;
  holds: string | null;
}

type Touching = { firstStart: Date; lastStart: Date; dayStart: Date; dayEnd: Date };

/** Notes may be long: a calendar shows how they begin. */
const COLUMNS = `${APPOINTMENT_COLUMNS.replace(
  /\bnotes, /,
  `case when char_length(notes) > ${MAX_NOTES_EXCERPT} then left(notes, ${MAX_NOTES_EXCERPT - 1}) || '…' else notes end as notes_excerpt, `,
)}, resource_id`;

const touchingWhere = (condition: string) => `
  select ${COLUMNS} from appointments
  where tenant_id = $tenantId and starts_at between $firstStart and $lastStart
    and occupied && tstzrange($dayStart, $dayEnd) and ${condition}`;

// An appointment that holds no slot leaves it to another: of these alone there may be any number.
const latestWhere = (condition: string) =>
  `(${touchingWhere(condition)} order by starts_at desc, id limit ${MAX_SHOWN_WITHOUT_SLOT})`;

const SHOWN = `${touchingWhere(`${KEPT_APART} and ${IS_APPOINTMENT}`)}
  union all ${latestWhere(`status = 'no_show'`)}
  union all ${latestWhere(`status = 'cancelled'`)}`;

const findTouching = tenantSql<DayAppointmentRow, Touching>(
  'day_appointments',
  `select appointment.*, service.name as service_name, member.name as staff_name, missed.customer_no_shows
   from (${SHOWN}) appointment
   join services service on service.tenant_id = $tenantId and service.id = appointment.service_id
   left join staff member on member.tenant_id = $tenantId and member.id = appointment.staff_id
   ${JOIN_NO_SHOWS}
   order by appointment.starts_at, appointment.id`,
);

// Rows of settings, services and staff stay and their versions only grow, so that no two states have the same sums. Each change of a
// calendar makes another version of its owner. Of appointments, which come and go, it takes each one's version, and what makes none: the
// marks, and no-shows on other days.
const versionOfTouching = tenantSql<DaysVersion, Touching>(
  'days_version',
  `select
     (select version from booking_settings where tenant_id = $tenantId) as settings,
     (select sum(version) from services where tenant_id = $tenantId) as services,
     (select sum(version) from staff where tenant_id = $tenantId) as staff,
     (select md5(string_agg(concat_ws(' ', id, version, customer_no_shows, extract(epoch from arrived_at),
         quote_literal(cancellation_reason)), ',' order by id))
       from (${SHOWN}) appointment ${JOIN_NO_SHOWS}) as appointments,
     (select string_agg(held.id::text, ',' order by held.id) ${HELD_TOUCHING}) as holds`,
);

/** A visit, and the buffer on either side of it, lasts a day at most: what a service may ask for. */
const LONGEST_MS = DAY_MS;

const touching = ({ start, end }: Interval): Touching => ({
  firstStart: new Date(start - 2 * LONGEST_MS),
  lastStart: new Date(end + LONGEST_MS),
  dayStart: new Date(start),
  dayEnd: new Date(end),
});

/** Every appointment that takes a slot and touches the stretch with its time or its buffers, and the last of the others, by start. */
export const listAppointmentsTouching = (db: TenantReads, stretch: Interval) =>
  db.many(findTouching, touching(stretch));

/** Another one whenever these appointments, open holds, or what the business is set up with, have changed. */
export const findDaysVersion = (db: TenantReads, stretch: Interval) =>
  db.one(versionOfTouching, touching(stretch));
