import { isDeepStrictEqual } from 'node:util';
import type { UpdateCallSource } from '@frontdesk/contracts';
import type { TenantTransaction } from '@frontdesk/database';
import { notFound, type RequireVersion } from '@frontdesk/service';
import { lockSource, updateSource } from '../data/call-source.repository.ts';
import type { CallSourceRow } from '../domain/call-source.ts';

/** Changes what is given; settings are replaced as a whole. @throws AppError `not_found`, `precondition_failed` */
export async function changeSource(
  tx: TenantTransaction,
  id: number,
  changes: UpdateCallSource,
  requireVersion: RequireVersion,
): Promise<CallSourceRow> {
  const source = await lockSource(tx, id);
  if (!source) throw notFound('Call source');
  requireVersion(source.version);
  const { name = source.name, is_active = source.is_active, settings = source.settings } = changes;
  const wanted = { name, is_active, settings };
  return isDeepStrictEqual({ ...source, ...wanted }, source) ? source : updateSource(tx, id, wanted);
}
