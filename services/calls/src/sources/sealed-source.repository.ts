import { type SystemScope, systemSql } from '@frontdesk/database';
import type { CallSourceRow } from './call-source.rules.ts';

export type SealedSource = Pick<CallSourceRow, 'tenant_id' | 'id' | 'token' | 'sealed_secret'>;

export interface ResealedSecret {
  before: SealedSource;
  sealed_secret: string;
}

// Without an index: a business has few sources, and one pass a minute reads them all.
const sealedOtherwise = systemSql<SealedSource, { keyId: string; afterId: number; limit: number }>(
  'sources_sealed_otherwise',
  `select tenant_id, id, token, sealed_secret from call_sources
   where deleted_at is null and split_part(sealed_secret, '.', 2) <> $keyId and id > $afterId
   order by id limit $limit`,
);

// Nothing where it was replaced meanwhile. No change of the source: its version stays.
const reseal = systemSql<never, { tenantIds: number[]; ids: number[]; before: string[]; sealed: string[] }>(
  'sources_reseal',
  `update call_sources s set sealed_secret = r.sealed
   from unnest($tenantIds::bigint[], $ids::bigint[], $before::text[], $sealed::text[]) as r (tenant_id, id, before, sealed)
   where s.tenant_id = r.tenant_id and s.id = r.id and s.sealed_secret = r.before`,
);

/** Sources after this one, by id, with a secret that is sealed by another key than this. */
export const findSealedOtherwise = (system: SystemScope, keyId: string, afterId: number, limit: number) =>
  system.many(sealedOtherwise, { keyId, afterId, limit });

/** @returns how many; those whose secret was replaced meanwhile are left out */
export const resealSecrets = (system: SystemScope, resealed: readonly ResealedSecret[]) =>
  system.run(reseal, {
    tenantIds: resealed.map(({ before }) => before.tenant_id),
    ids: resealed.map(({ before }) => before.id),
    before: resealed.map(({ before }) => before.sealed_secret),
    sealed: resealed.map(({ sealed_secret }) => sealed_secret),
  });
