import { type TenantTransaction, tenantSql } from '@frontdesk/database';

/** What is kept of one call's messages at most: it is read whole whenever another one comes. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_PATCHES = 500;

const sizeOfOthers = tenantSql<{ patches: number; bytes: number }, [callId: number, messageId: number]>(
  'patches_size',
  `select count(*) as patches, coalesce(sum(bytes), 0)::bigint as bytes from call_patches
   where tenant_id = $1 and call_id = $2 and message_id <> $3`,
);

const put = tenantSql<never, [callId: number, messageId: number, patch: string, bytes: number]>(
  'patches_put',
  `insert into call_patches (tenant_id, call_id, message_id, patch, bytes) values ($1, $2, $3, $4, $5)
   on conflict (tenant_id, call_id, message_id) do update set patch = excluded.patch, bytes = excluded.bytes`,
);

/** A message that is read again replaces what it said before. False where the call has no room for it. */
export async function savePatch(
  tx: TenantTransaction,
  callId: number,
  messageId: number,
  patch: object,
): Promise<boolean> {
  const text = JSON.stringify(patch);
  const size = Buffer.byteLength(text);
  const { patches, bytes } = await tx.one(sizeOfOthers, callId, messageId);
  if (patches >= MAX_PATCHES || bytes + size > MAX_BYTES) return false;
  await tx.run(put, callId, messageId, text, size);
  return true;
}

const list = tenantSql<{ patch: unknown }, [callId: number]>(
  'patches_list',
  'select patch from call_patches where tenant_id = $1 and call_id = $2',
);

export const findPatches = async (db: Pick<TenantTransaction, 'many'>, callId: number): Promise<unknown[]> =>
  (await db.many(list, callId)).map(({ patch }) => patch);
