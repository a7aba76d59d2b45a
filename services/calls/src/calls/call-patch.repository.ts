import { type TenantReads, type TenantTransaction, tenantSql } from '@frontdesk/database';
import { patchFromJson, patchToJson } from '../providers/call-patch.rules.ts';
import type { CallPatch } from '../providers/call-provider.rules.ts';

/**
 * Most that is kept of one call's messages, for each stage by itself: every new message reads all of it.
 */
const MAX_BYTES = 1024 * 1024;
const MAX_PATCHES = 50;
/** In the place of a message's id: the one patch that all progress of a call is merged into. */
const MERGED = 0;

const sizeOfOthers = tenantSql<
  { patches: number; bytes: number },
  { callId: number; messageId: number; stage: string }
>(
  'patches_size',
  `select count(*) as patches, coalesce(sum(bytes), 0)::bigint as bytes from call_patches
   where tenant_id = $tenantId and call_id = $callId and message_id <> $messageId and stage = $stage`,
);

const put = tenantSql<
  never,
  { callId: number; messageId: number; stage: string; patch: string; bytes: number }
>(
  'patches_put',
  `insert into call_patches (tenant_id, call_id, message_id, stage, patch, bytes)
   values ($tenantId, $callId, $messageId, $stage, $patch, $bytes)
   on conflict (tenant_id, call_id, message_id)
   do update set stage = excluded.stage, patch = excluded.patch, bytes = excluded.bytes`,
);

/** A message that is read again replaces what it said before. False where the call has reached its limit. */
export async function savePatch(
  tx: TenantTransaction,
  callId: number,
  messageId: number,
  patch: CallPatch,
): Promise<boolean> {
  const text = JSON.stringify(patchToJson(patch));
  const size = Buffer.byteLength(text);
  const { patches, bytes } = await tx.one(sizeOfOthers, { callId, messageId, stage: patch.stage });
  if (patches >= MAX_PATCHES || bytes + size > MAX_BYTES) return false;
  await tx.run(put, { callId, messageId, stage: patch.stage, patch: text, bytes: size });
  return true;
}

/** The progress of the call, in the place of the stored one. */
export const saveProgress = (tx: TenantTransaction, callId: number, patch: CallPatch) =>
  savePatch(tx, callId, MERGED, patch);

const find = tenantSql<{ patch: unknown }, { callId: number; messageId: number }>(
  'patches_find',
  'select patch from call_patches where tenant_id = $tenantId and call_id = $callId and message_id = $messageId',
);

export async function findProgress(db: TenantReads, callId: number): Promise<CallPatch | null> {
  const found = await db.maybeOne(find, { callId, messageId: MERGED });
  return found && patchFromJson(found.patch);
}

const list = tenantSql<{ patch: unknown }, { callId: number }>(
  'patches_list',
  'select patch from call_patches where tenant_id = $tenantId and call_id = $callId',
);

export const listPatches = async (db: TenantReads, callId: number): Promise<CallPatch[]> =>
  (await db.many(list, { callId })).map(({ patch }) => patchFromJson(patch));
