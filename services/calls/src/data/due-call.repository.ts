import {
  type Database,
  type SystemScope,
  systemSql,
  type TenantScope,
  type TenantTransaction,
  tenantSql,
} from '@frontdesk/database';

export interface DueCall {
  tenant_id: number;
  id: number;
}

// The locks end with the statement. They are asked for so as to pass over what another process has in hand just now.
const findToAnnounce = systemSql<DueCall, [limit: number]>(
  'calls_find_to_announce',
  'select tenant_id, id from calls where announce_at <= now() order by announce_at limit $1 for update skip locked',
);

/** Calls that have waited long enough for their analysis. */
export const findCallsToAnnounce = (system: SystemScope, limit: number) => system.many(findToAnnounce, limit);

/** A call whose customer crm couldn't be asked for. */
export interface CallToLink extends DueCall {
  customer_number: string;
  creates_leads: boolean;
}

const findToLink = systemSql<CallToLink, [limit: number]>(
  'calls_find_to_link',
  `select c.tenant_id, c.id, c.customer_number, (s.settings ->> 'creates_leads')::boolean as creates_leads
   from calls c join call_sources s on s.tenant_id = c.tenant_id and s.id = c.source_id
   where c.link_due_at <= now() order by c.link_due_at limit $1 for update of c skip locked`,
);

export const findCallsToLink = (system: SystemScope, limit: number) => system.many(findToLink, limit);

const MAX_DELAY_SECONDS = 300;

const deferLink = tenantSql<never, [id: number]>(
  'calls_defer_link',
  `update calls set link_attempts = link_attempts + 1,
     link_due_at = now() + least(power(2, least(link_attempts, 20)), ${MAX_DELAY_SECONDS}) * interval '1 second'
   where tenant_id = $1 and id = $2 and link_due_at is not null`,
);

/** Has crm asked again, later each time. */
export const deferLinking = (database: Database, { tenant_id, id }: DueCall) =>
  database.forTenant(tenant_id).run(deferLink, id);

const findUnlinked = tenantSql<{ id: number }, [numbers: string[], limit: number]>(
  'calls_find_unlinked',
  `select id from calls where tenant_id = $1 and customer_id is null and customer_number = any($2::text[])
   order by id limit $3`,
);

/** Calls of these numbers that have no customer. */
export const findUnlinkedCalls = async (
  db: Pick<TenantScope | TenantTransaction, 'many'>,
  numbers: string[],
  limit: number,
): Promise<number[]> => (await db.many(findUnlinked, numbers, limit)).map(({ id }) => id);
