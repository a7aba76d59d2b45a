import { type SystemScope, type TenantReads, type TenantTransaction, tenantSql } from '@frontdesk/database';
import { afterAttempts, longestDueOfEach } from '../due-rows/due-row.repository.ts';

/** Calls that have waited long enough: for their analysis, their customer, or the announcement of their changes. */
export const findCallsToAnnounce = longestDueOfEach({
  name: 'calls_find_to_announce',
  table: 'calls',
  waiting: 'announce_at is not null',
  due: 'announce_at',
});

const PUT_OFF_SECONDS = 30;

const deferAnnouncement = tenantSql<never, { id: number }>(
  'calls_defer_announcement',
  `update calls set announce_at = now() + interval '${PUT_OFF_SECONDS} s'
   where tenant_id = $tenantId and id = $id and announce_at is not null`,
);

/** Lets others go first after a fault. */
export const deferAnnouncing = (db: TenantReads, id: number) => db.run(deferAnnouncement, { id });

/** Calls whose customer isn't known yet. */
export const findCallsToLink = longestDueOfEach({
  name: 'calls_find_to_link',
  table: 'calls',
  waiting: 'link_due_at is not null',
  due: 'link_due_at',
});

export interface CallToLink {
  customer_number: string;
  /** Whether the number becomes a customer: an unknown caller, where the source says so. Never of a test. */
  creates_lead: boolean;
  /** Whether crm was asked in vain before. */
  has_waited: boolean;
}

const findToLink = tenantSql<CallToLink, { id: number }>(
  'calls_find_one_to_link',
  `select c.customer_number, c.direction = 'inbound' and not c.is_test and (s.settings ->> 'creates_leads')::boolean as creates_lead,
     c.link_attempts > 0 as has_waited
   from calls c join call_sources s on s.tenant_id = c.tenant_id and s.id = c.source_id
   where c.tenant_id = $tenantId and c.id = $id and c.link_due_at is not null and c.customer_number is not null`,
);

/** Null where somebody has linked it by now. */
export const findCallToLink = (db: TenantReads, id: number) => db.maybeOne(findToLink, { id });

const deferLink = tenantSql<never, { id: number }>(
  'calls_defer_link',
  `update calls set link_attempts = link_attempts + 1, link_due_at = ${afterAttempts('link_attempts')}
   where tenant_id = $tenantId and id = $id and link_due_at is not null`,
);

/** Has crm asked again, later each time. */
export const deferLinking = (db: TenantReads, id: number) => db.run(deferLink, { id });

const MARKED = 1_000;

const markUnlinked = tenantSql<never, { numbers: string[] }>(
  'calls_mark_unlinked',
  `update calls set link_due_at = now() where tenant_id = $tenantId and id in (
     select id from calls where tenant_id = $tenantId and customer_id is null and customer_number = any($numbers::text[])
       and (link_due_at is null or link_due_at > now()) limit ${MARKED})`,
);

/** Has the calls of these numbers that have no customer linked now. @returns whether there may be more */
export const markUnlinkedCalls = async (db: TenantReads, numbers: string[]) =>
  (await db.run(markUnlinked, { numbers })) === MARKED;

const findUnannounced = longestDueOfEach({
  name: 'calls_find_to_check_appointment',
  table: 'calls',
  waiting:
    'appointment_id is distinct from checked_appointment_id and appointment_id = untold_appointment_id',
  due: 'appointment_due_at',
});

const findAnnounced = longestDueOfEach({
  name: 'calls_find_to_check_told_appointment',
  table: 'calls',
  waiting: `appointment_id is not null and appointment_id is distinct from checked_appointment_id
    and appointment_id is distinct from untold_appointment_id`,
  due: 'appointment_due_at',
});

/** So many at a time, since a call that has just ended may wait for them. */
const ANNOUNCED_AT_ONCE = 4;

/** Calls whose stated appointment may be anybody's. Those of before the upgrade only while no other one is due. */
export async function findAppointmentsToCheck(system: SystemScope, without: number[], limit: number) {
  const untold = await findUnannounced(system, without, limit);
  return untold.length > 0 ? untold : findAnnounced(system, without, Math.min(limit, ANNOUNCED_AT_ONCE));
}

const findStated = tenantSql<{ appointment_id: number }, { id: number }>(
  'calls_find_stated_appointment',
  `select appointment_id from calls where tenant_id = $tenantId and id = $id
     and appointment_id is not null and appointment_id is distinct from checked_appointment_id`,
);

/** The stated appointment; null where there is none to check any more. */
export const findStatedAppointment = async (db: TenantReads, id: number) =>
  (await db.maybeOne(findStated, { id }))?.appointment_id ?? null;

const deferCheck = tenantSql<never, { id: number }>(
  'calls_defer_appointment',
  `update calls set appointment_attempts = appointment_attempts + 1, appointment_due_at = ${afterAttempts('appointment_attempts')}
   where tenant_id = $tenantId and id = $id`,
);

/** Has scheduling asked again, later each time. */
export const deferAppointment = (db: TenantReads, id: number) => db.run(deferCheck, { id });

/** So often scheduling may say no: for some four minutes, in which an appointment may still be booked or restored. */
const MOST_DENIALS = 8;

const deny = tenantSql<{ is_final: boolean }, { id: number }>(
  'calls_deny_appointment',
  `update calls set appointment_denials = appointment_denials + 1, appointment_due_at = ${afterAttempts('appointment_denials + 1')}
   where tenant_id = $tenantId and id = $id
   returning appointment_denials >= ${MOST_DENIALS} as is_final`,
);

/** Notes that scheduling knows no such appointment. @returns whether that is final */
export const denyAppointment = async (tx: TenantTransaction, id: number) =>
  (await tx.one(deny, { id })).is_final;
