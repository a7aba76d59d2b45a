import { type SystemScope, systemSql } from '@frontdesk/database';

export interface StoredSecrets {
  tenant_id: number;
  id: number;
  secret: string;
  previous_secret: string | null;
  /** Of its own. */
  headers: string | null;
  /** The previous secret signs no more. */
  has_previous_expired: boolean;
}

export interface ResealedSecrets {
  before: StoredSecrets;
  secret: string;
  /** Null where it stays as it is. */
  secret_last_four: string | null;
  previous_secret: string | null;
  headers: string | null;
}

// Two ranges of the first index, where "another than" would go through all of it.
const sealedOtherwise = systemSql<StoredSecrets, { keyId: string; afterId: number; limit: number }>(
  'endpoints_sealed_otherwise',
  `select tenant_id, id, secret, previous_secret, headers,
     coalesce(previous_secret_until <= now(), false) as has_previous_expired
   from endpoints
   where id = any(array(
     select id from (
       select id from endpoints
       where deleted_at is null and (split_part(secret, '.', 2) < $keyId or split_part(secret, '.', 2) > $keyId)
       union
       select id from endpoints
       where deleted_at is null and previous_secret is not null and split_part(previous_secret, '.', 2) <> $keyId
       union
       select id from endpoints
       where deleted_at is null and headers is not null and split_part(headers, '.', 2) <> $keyId
     ) otherwise where id > $afterId order by id limit $limit))
   order by id`,
);

// Nothing where one of them was replaced meanwhile.
const reseal = systemSql<
  never,
  {
    tenantIds: number[];
    ids: number[];
    before: string[];
    previousBefore: (string | null)[];
    secrets: string[];
    lastFours: (string | null)[];
    previous: (string | null)[];
    headersBefore: (string | null)[];
    headers: (string | null)[];
  }
>(
  'endpoints_reseal',
  `update endpoints e set secret = r.secret, secret_last_four = coalesce(r.last_four, e.secret_last_four),
     headers = r.headers, previous_secret = r.previous, previous_secret_until = case when r.previous is not null then e.previous_secret_until end
   from unnest(
     $tenantIds::bigint[], $ids::bigint[], $before::text[], $previousBefore::text[], $secrets::text[], $lastFours::text[],
     $previous::text[], $headersBefore::text[], $headers::text[]
   ) as r (tenant_id, id, before, previous_before, secret, last_four, previous, headers_before, headers)
   where e.tenant_id = r.tenant_id and e.id = r.id and e.secret = r.before
     and e.previous_secret is not distinct from r.previous_before and e.headers is not distinct from r.headers_before`,
);

const BATCH = 5_000;

const forgetExpired = systemSql<never>(
  'endpoints_forget_secrets',
  `update endpoints set previous_secret = null, previous_secret_until = null where id = any(array(
     select id from endpoints where previous_secret is not null and previous_secret_until < now()
     limit ${BATCH} for update skip locked))`,
);

/** Forgets previous secrets that no longer sign: in a backup they would help only a thief. */
export const purgeSecrets = (system: SystemScope) => system.run(forgetExpired);

/** Endpoints after this one, by id, with a secret or headers that are sealed by another key than this or not at all. */
export const findSealedOtherwise = (system: SystemScope, keyId: string, afterId: number, limit: number) =>
  system.many(sealedOtherwise, { keyId, afterId, limit });

/** @returns how many; those whose secret was replaced meanwhile are left out */
export const resealSecrets = (system: SystemScope, resealed: readonly ResealedSecrets[]) =>
  system.run(reseal, {
    tenantIds: resealed.map(({ before }) => before.tenant_id),
    ids: resealed.map(({ before }) => before.id),
    before: resealed.map(({ before }) => before.secret),
    previousBefore: resealed.map(({ before }) => before.previous_secret),
    secrets: resealed.map(({ secret }) => secret),
    lastFours: resealed.map(({ secret_last_four }) => secret_last_four),
    previous: resealed.map(({ previous_secret }) => previous_secret),
    headersBefore: resealed.map(({ before }) => before.headers),
    headers: resealed.map(({ headers }) => headers),
  });
