import { type TenantTransaction, tenantSql } from '@frontdesk/database';
import type { SealedSecret } from '../domain/sealed-secret.ts';

export interface HeldEndpoint {
  url: string;
  events: string[];
  is_active: boolean;
  is_suspended: boolean;
  disabled_reason: string | null;
  version: number;
  has_previous_secret: boolean;
  /** Null where it was never paused or disabled. */
  missed_from: Date | null;
  missed_to: Date | null;
}

const HELD = `
  select url, events, is_active, is_suspended, disabled_reason, version,
    coalesce(previous_secret_until > now(), false) as has_previous_secret,
    missed_from, missed_to
  from endpoints where tenant_id = $1 and id = $2 and deleted_at is null`;

const holdToChange = tenantSql<HeldEndpoint, [id: number]>('endpoints_hold', `${HELD} for update`);
const holdToUse = tenantSql<HeldEndpoint, [id: number]>('endpoints_hold_shared', `${HELD} for share`);

const holdCount = tenantSql<never>(
  'endpoints_hold_count',
  `select pg_advisory_xact_lock(hashtextextended('webhooks.endpoints', tenant_id))
   from (values ($1::bigint)) as held (tenant_id)`,
);
// A statement of its own: it sees what was there once the lock was granted.
const countKept = tenantSql<{ count: number }>(
  'endpoints_count',
  'select count(*) as count from endpoints where tenant_id = $1 and deleted_at is null',
);

const replaceSecret = tenantSql<
  { version: number; previous_secret_until: Date },
  [id: number, secret: string, lastFour: string, hours: number]
>(
  'endpoints_rotate',
  `update endpoints set previous_secret = secret, previous_secret_until = now() + $5::integer * interval '1 hour',
     secret = $3, secret_last_four = $4, version = version + 1, updated_at = now()
   where tenant_id = $1 and id = $2 returning version, previous_secret_until`,
);

/** The endpoint, held until the transaction ends: nobody changes, disables or deletes it meanwhile. */
export const lockEndpoint = (tx: TenantTransaction, id: number) => tx.maybeOne(holdToChange, id);
/** As `lockEndpoint`, beside others who use it as it is. */
export const shareEndpoint = (tx: TenantTransaction, id: number) => tx.maybeOne(holdToUse, id);

/** How many endpoints the tenant has; until the transaction ends, others wait for the number. */
export async function lockEndpointCount(tx: TenantTransaction): Promise<number> {
  await tx.run(holdCount);
  return (await tx.one(countKept)).count;
}

/** For so many hours the previous secret signs as well. */
export const rotateSecret = (tx: TenantTransaction, id: number, sealed: SealedSecret, hours: number) =>
  tx.one(replaceSecret, id, sealed.secret, sealed.secret_last_four, hours);
