import type { Quotas } from '@frontdesk/contracts';
import {
  type SystemScope,
  systemSql,
  type TenantReads,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';

/** How many messages and bytes a UTC day allows. */
export type DayQuota = Pick<Quotas, 'call_messages_per_day' | 'call_bytes_per_day'>;

const utcDay = () => new Date().toISOString().slice(0, 10);

interface DayCount {
  messages: number;
  bytes: number;
}

const find = tenantSql<DayCount, { day: string }>(
  'message_days_find',
  'select messages, bytes from call_message_days where tenant_id = $tenantId and day = $day',
);

/** Messages and bytes stored so far in this UTC day. */
export const countMessagesToday = async (db: TenantReads): Promise<DayCount> =>
  (await db.maybeOne(find, { day: utcDay() })) ?? { messages: 0, bytes: 0 };

// The first message of a day always fits: every plan allows more than the largest message has.
const add = tenantSql<
  { counted: true },
  { day: string; bytes: number; messagesAllowed: number; bytesAllowed: number }
>(
  'message_days_add',
  `insert into call_message_days as today (tenant_id, day, messages, bytes) values ($tenantId, $day, 1, $bytes)
   on conflict (tenant_id, day) do update set messages = today.messages + 1, bytes = today.bytes + excluded.bytes
   where today.messages < $messagesAllowed and today.bytes + excluded.bytes <= $bytesAllowed
   returning true as counted`,
);

const takeBack = tenantSql<never, { day: string; bytes: number }>(
  'message_days_take_back',
  `update call_message_days set messages = messages - 1, bytes = bytes - $bytes where tenant_id = $tenantId and day = $day`,
);

/**
 * Counts a message. The day's row stays locked until the transaction ends, so that messages are counted one at a time.
 * @returns `takeBack`, which undoes the count in the same transaction; null where the quota of the day is used up
 */
export async function countMessage(tx: TenantTransaction, bytes: number, quota: DayQuota) {
  const day = utcDay();
  const { call_messages_per_day: messages, call_bytes_per_day: allowedBytes } = quota;
  if (!(await tx.maybeOne(add, { day, bytes, messagesAllowed: messages, bytesAllowed: allowedBytes })))
    return null;
  return { takeBack: () => tx.send(takeBack, { day, bytes }) };
}

/** Nobody asks for more than the present one. */
const KEPT_DAYS = 7;
const BATCH = 1_000;

const purge = systemSql<never>(
  'message_days_purge',
  `delete from call_message_days where (tenant_id, day) in (
     select tenant_id, day from call_message_days where day < current_date - ${KEPT_DAYS}
     limit ${BATCH} for update skip locked)`,
);

/** Removes some of those that are past their time. */
export const purgeMessageDays = (system: SystemScope) => system.run(purge);
