import type { Quotas } from '@frontdesk/contracts';
import { type TenantScope, type TenantTransaction, tenantSql } from '@frontdesk/database';
import { EntitySchema } from 'typeorm';

/** How many messages and bytes of a tenant's sources were stored in a UTC day. */
interface CallMessageDayRow {
  tenant_id: number;
  /** `Y-m-d` */
  day: string;
  messages: number;
  bytes: number;
}

/** How many messages and bytes a UTC day allows. */
export type DayQuota = Pick<Quotas, 'call_messages_per_day' | 'call_bytes_per_day'>;

export const callMessageDayEntity = new EntitySchema<CallMessageDayRow>({
  name: 'call_message_day',
  tableName: 'call_message_days',
  columns: {
    tenant_id: { type: 'bigint', primary: true },
    day: { type: 'date', primary: true },
    messages: { type: 'bigint' },
    bytes: { type: 'bigint' },
  },
});

const utcDay = () => new Date().toISOString().slice(0, 10);

/** Messages and bytes stored so far in this UTC day. */
export async function messagesOfToday(scope: TenantScope): Promise<{ messages: number; bytes: number }> {
  const row = await scope.repository(callMessageDayEntity).findOne({ day: utcDay() });
  return { messages: row?.messages ?? 0, bytes: row?.bytes ?? 0 };
}

// The first message of a day always fits: every plan allows more than the largest message has.
const add = tenantSql<
  { counted: true },
  [day: string, bytes: number, messagesAllowed: number, bytesAllowed: number]
>(
  'message_days_add',
  `insert into call_message_days as today (tenant_id, day, messages, bytes) values ($1, $2, 1, $3)
   on conflict (tenant_id, day) do update set messages = today.messages + 1, bytes = today.bytes + excluded.bytes
   where today.messages < $4 and today.bytes + excluded.bytes <= $5
   returning true as counted`,
);

const takeBack = tenantSql<never, [day: string, bytes: number]>(
  'message_days_take_back',
  `update call_message_days set messages = messages - 1, bytes = bytes - $3 where tenant_id = $1 and day = $2`,
);

/**
 * Counts a message. The day's row stays locked until the transaction ends, so that messages are counted one at a time.
 * @returns `takeBack`, which undoes the count in the same transaction; null where the quota of the day is used up
 */
export async function countMessage(tx: TenantTransaction, bytes: number, quota: DayQuota) {
  const day = utcDay();
  const { call_messages_per_day: messages, call_bytes_per_day: allowedBytes } = quota;
  if (!(await tx.maybeOne(add, day, bytes, messages, allowedBytes))) return null;
  return { takeBack: () => tx.send(takeBack, day, bytes) };
}
