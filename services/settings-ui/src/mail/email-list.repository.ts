import type { EmailState, EmailSummary, PageQuery } from '@frontdesk/contracts';
import { type SystemScope, systemSql, type TenantReads, tenantSql } from '@frontdesk/database';

type Instants = 'made_at' | 'due_at' | 'sent_at' | 'failed_at';

export interface EmailListRow extends Omit<EmailSummary, Instants> {
  made_at: Date;
  due_at: Date;
  sent_at: Date | null;
  failed_at: Date | null;
}

const STATE = `case when sent_at is not null then 'sent' when failed_at is not null then 'failed' else 'waiting' end`;
const COLUMNS = `id, tenant_id, kind, recipient, subject, ${STATE} as state, count, attempts, last_error,
     made_at, due_at, sent_at, failed_at`;
const IN_STATE = `($state::text is null or ${STATE} = $state)`;

const page = systemSql<EmailListRow, { state: EmailState | null; limit: number; offset: number }>(
  'emails_page',
  `select ${COLUMNS} from emails where ${IN_STATE} order by id desc limit $limit offset $offset`,
);
const total = systemSql<{ total: number }, { state: EmailState | null }>(
  'emails_total',
  `select count(*) as total from emails where ${IN_STATE}`,
);

/** The newest first. */
export async function readEmails(
  system: SystemScope,
  { state = null, page: number, per_page }: PageQuery & { state?: EmailState | null | undefined },
): Promise<{ rows: EmailListRow[]; total: number }> {
  const window = { state, limit: per_page, offset: (number - 1) * per_page };
  const [rows, counted] = await Promise.all([system.many(page, window), system.one(total, { state })]);
  return { rows, total: counted.total };
}

const find = systemSql<EmailListRow & { sealed: string | null }, { id: number }>(
  'emails_find',
  `select ${COLUMNS}, sealed from emails where id = $id`,
);

export const findEmail = (system: SystemScope, id: number) => system.maybeOne(find, { id });

// An email normally waits for less than a minute.
const count = systemSql<{ waiting: number; kept: number; failed: number }>(
  'emails_count',
  `select (select count(*) from emails where sent_at is null and failed_at is null
       and (composed_at < now() - interval '1 minute'
         or composed_at is null and (due_at < now() - interval '1 minute' or last_error is not null))) as waiting,
     (select count(*) from emails where sent_at is null and failed_at is null and composed_at is not null) as kept,
     (select count(*) from emails where failed_at > now() - interval '1 day') as failed`,
);

/** `waiting`: should have been sent a minute ago; `kept`: composed and not sent; `failed`: within the last day. */
export const countEmails = (system: SystemScope) => system.one(count);

const countOfTenant = tenantSql<{ waiting: number }>(
  'emails_count_of_tenant',
  `select count(*) as waiting from emails
   where tenant_id = $tenantId and sent_at is null and failed_at is null
     and (composed_at is not null or last_error is not null)`,
);

/** How many emails of a business wait to be sent. */
export const countWaitingEmails = async (db: TenantReads): Promise<number> =>
  (await db.one(countOfTenant)).waiting;
