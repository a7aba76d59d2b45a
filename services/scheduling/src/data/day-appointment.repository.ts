import { MAX_SHOWN_WITHOUT_SLOT } from '@frontdesk/contracts';
import { type TenantReads, tenantSql } from '@frontdesk/database';
import { DAY_MS } from '@frontdesk/local-time';
import type { DayAppointmentRow } from '../domain/appointment.ts';
import type { Interval } from '../domain/interval.ts';
import { APPOINTMENT_COLUMNS, HOLDS_SLOT } from './appointment.repository.ts';

interface DaysVersion {
  settings: number | null;
  services: number | null;
  staff: number | null;
  appointments: string | null;
}

type Touching = [firstStart: Date, lastStart: Date, dayStart: Date, dayEnd: Date];

/** Notes are long, and no calendar shows them. */
const COLUMNS = `${APPOINTMENT_COLUMNS.replace(/\bnotes, /, '')}, resource_id`;

const touchingWhere = (condition: string) => `
  select ${COLUMNS} from appointments
  where tenant_id = $1 and starts_at between $2 and $3 and occupied && tstzrange($4, $5) and ${condition}`;

// An appointment that holds no slot leaves it to another: of these alone there may be any number.
const latestWhere = (condition: string) =>
  `(${touchingWhere(condition)} order by starts_at desc, id limit ${MAX_SHOWN_WITHOUT_SLOT})`;

const SHOWN = `${touchingWhere(HOLDS_SLOT)}
  union all ${latestWhere(`status = 'no_show'`)}
  union all ${latestWhere(`status = 'cancelled'`)}`;

const findTouching = tenantSql<DayAppointmentRow, Touching>(
  'day_appointments',
  `select appointment.*, service.name as service_name, member.name as staff_name
   from (${SHOWN}) appointment
   join services service on service.tenant_id = $1 and service.id = appointment.service_id
   left join staff member on member.tenant_id = $1 and member.id = appointment.staff_id
   order by appointment.starts_at, appointment.id`,
);

// Rows of settings, services and staff stay and their versions only grow, so that no two states have the same sums. Each change of a
// calendar makes another version of its owner. Of appointments, which come and go, it takes each one's version.
const versionOfTouching = tenantSql<DaysVersion, Touching>(
  'days_version',
  `select
     (select version from booking_settings where tenant_id = $1) as settings,
     (select sum(version) from services where tenant_id = $1) as services,
     (select sum(version) from staff where tenant_id = $1) as staff,
     (select md5(string_agg(concat(id, ' ', version), ',' order by id)) from (${SHOWN}) shown) as appointments`,
);

/** A visit, and the buffer on either side of it, lasts a day at most: what a service may ask for. */
const LONGEST_MS = DAY_MS;

const touching = ({ start, end }: Interval): Touching => [
  new Date(start - 2 * LONGEST_MS),
  new Date(end + LONGEST_MS),
  new Date(start),
  new Date(end),
];

/** Every appointment that holds a slot and touches the stretch with its time or its buffers, and the last of the others, by start. */
export const listAppointmentsTouching = (db: TenantReads, stretch: Interval) =>
  db.many(findTouching, ...touching(stretch));

/** Another one whenever these appointments, or what the business is set up with, have changed. */
export const findDaysVersion = (db: TenantReads, stretch: Interval) =>
  db.one(versionOfTouching, ...touching(stretch));
